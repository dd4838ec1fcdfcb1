/** The start of every script for a broken rule; for any POSIX shell with curl, grep, sed and awk. */
export const shellFunctions = String.raw`
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# send NAME CURL-ARGUMENTS: keeps the answer under the name. No redirect is followed, whatever ~/.curlrc says.
send() {
  name=$1
  shift
  curl --silent --show-error --no-location --path-as-is --globoff --dump-header "$work/$name.head" --output "$work/$name.body" "$@" \
    2> "$work/$name.failure"
}
# show NAME REQUEST STATUS: prints the answer below what the report has; no secret, and nothing that steers a terminal.
show() {
  printf '\n%s  %s\n  then %s\n  now:\n' "$1" "$2" "$3"
  touch "$work/$1.head" "$work/$1.body"
  cat "$work/$1.failure" "$work/$1.head" "$work/$1.body" | tr -d '\r' | hidden | LC_ALL=C cat -v
  echo
}
hidden() {
  secrets=$secrets awk 'BEGIN { count = split(ENVIRON["secrets"], names, " ") }
    {
      for (i = 1; i <= count; i++) {
        secret = ENVIRON[names[i]]; rest = $0; out = ""
        while (secret != "" && (at = index(rest, secret)) > 0) {
          out = out substr(rest, 1, at - 1) "$" names[i]; rest = substr(rest, at + length(secret))
        }
        $0 = out rest
      }
      print
    }' | sed -e 's/\("signedUrl"[^"]*"[^"?]*?\)[^"]*/\1.../' -e 's/^\([Ss]et-[Cc]ookie:\).*/\1 .../'
}
# member NAME NTH EXCHANGE: a string of a JSON answer. header NAME EXCHANGE: a header of an answer.
member() {
  found=$(LC_ALL=C grep -o "\"$1\"[[:space:]]*:[[:space:]]*\"[^\"]*\"" "$work/$3.body" | sed -n "$2p" |
    sed 's/^[^:]*:[[:space:]]*"//; s/"$//; s#\\/#/#g; s/\\u0026/\&/g')
  [ -n "$found" ] || echo "$3 has no $1 this time" >&2
  printf %s "$found"
}
header() {
  found=$(tr -d '\r' < "$work/$2.head" | grep -i "^$1:" | head -n 1 | sed 's/^[^:]*:[[:space:]]*//')
  [ -n "$found" ] || echo "$2 has no $1 this time" >&2
  printf %s "$found"
}
path() { sed 's#^[A-Za-z]*://[^/]*##'; }
opaque() { sed 's#^[Ww]/##; s/"//g'; }
encoded() {
  printf %s "$1" | sed 's/%/%25/g; s/ /%20/g; s/"/%22/g; s/#/%23/g; s/&/%26/g; s/+/%2B/g; s#/#%2F#g; s/:/%3A/g; s/=/%3D/g; s/?/%3F/g; s/@/%40/g; s/,/%2C/g; s/;/%3B/g; s/\$/%24/g; s/{/%7B/g; s/|/%7C/g; s/}/%7D/g'
}
fresh_key() {
  od -An -N16 -tx1 /dev/urandom | tr -d ' \n' |
    sed 's/^\(.\{8\}\)\(.\{4\}\)\(.\{4\}\)\(.\{4\}\)/\1-\2-\3-\4-/'
}
`;
