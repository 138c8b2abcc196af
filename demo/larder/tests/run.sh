# The tests of larder: sh tests/run.sh ./larder
larder=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
passed=0
failed=0

# is NAME EXPECTED ACTUAL
is() {
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED: %s\n  expected: %s\n  but got:  %s\n' "$1" "$2" "$3"
    fi
}

# fails NAME STATUS COMMAND...: ends with that status
fails() {
    name=$1
    expected=$2
    shift 2
    "$@" >/dev/null 2>&1
    is "$name" "$expected" $?
}

cat >one.recipe <<'END'
# one text
file hello "Hello, world\n"
END
cat >two.recipe <<'END'
block 8
file a "one two\tthree\x21"
file b "back\\slash"
link c a
END

"$larder" pack one.recipe one.lrd
is 'pack one' 0 $?
"$larder" pack two.recipe two.lrd
is 'pack two' 0 $?
is 'list' 'hello' "$("$larder" list one.lrd)"
is 'list a link' 'a
b
c -> a' "$("$larder" list two.lrd)"
is 'list with sizes' 'f   13 hello' "$("$larder" list -l one.lrd)"
is 'list the first columns' 'hello Hell' "$("$larder" list -c 1-4 one.lrd)"
is 'list from a column on' 'hello world.' "$("$larder" list -c 8- one.lrd)"
is 'list one column' 'hello H' "$("$larder" list -c 1 one.lrd)"
is 'list late columns' 'hello ld.' "$("$larder" list -c 11-13 one.lrd)"
fails 'a range that is none' 2 "$larder" list -c x one.lrd
is 'show' 'Hello, world' "$("$larder" show one.lrd hello)"
is 'show through a link' 'one two	three!' "$("$larder" show two.lrd c)"
is 'show two' 'one two	three!back\slash' "$("$larder" show two.lrd a b)"
fails 'show what is not there' 1 "$larder" show one.lrd bye
is 'statistics' 'hello: 0 control, 2 blank, 10 word, 1 other
1 entries, 13 bytes, 1 blocks of 16' "$("$larder" stat one.lrd)"
is 'statistics of two' 'a: 0 control, 2 blank, 11 word, 1 other
b: 0 control, 0 blank, 9 word, 1 other
3 entries, 24 bytes, 4 blocks of 8' "$("$larder" stat two.lrd)"
is 'a recipe from standard input' 'x' "$(printf 'file x "y"\n' | "$larder" pack - x.lrd && "$larder" list x.lrd)"
printf 'file x y\n' >bad.recipe
fails 'text without quotes' 1 "$larder" pack bad.recipe bad.lrd
printf 'file x "\\q"\n' >escape.recipe
fails 'an unknown escape' 1 "$larder" pack escape.recipe bad.lrd
printf 'block 0\n' >block.recipe
fails 'a block of nothing' 1 "$larder" pack block.recipe bad.lrd
printf 'link x y\n' >link.recipe
fails 'a link to nothing' 1 "$larder" pack link.recipe bad.lrd
printf 'soup\n' >soup.recipe
fails 'an unknown word' 1 "$larder" pack soup.recipe bad.lrd
printf 'LRD1\020\000\001f\005ab' >short.lrd
fails 'a damaged archive' 1 "$larder" list short.lrd
fails 'no archive' 1 "$larder" stat one.recipe
fails 'no such file' 1 "$larder" stat none.lrd
fails 'no command' 2 "$larder"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
