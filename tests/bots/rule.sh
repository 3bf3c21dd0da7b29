#!/bin/sh
# A bot by a plain rule: sh tests/bots/rule.sh. There is no JSON in a shell: what is legal stands at the end of the line.
while IFS= read -r question; do
    legal=${question##*'"legal": ['}
    for word in confirm bank take place roll ruin power return; do
        best=
        IFS=,
        for action in ${legal%]*}; do
            action=${action#*'"'}
            action=${action%'"'*}
            case $action in
                "$word"*) [ ${#action} -lt ${#best} ] || best=$action ;;
            esac
        done
        [ -z "$best" ] || break
    done
    echo "$best"
done
