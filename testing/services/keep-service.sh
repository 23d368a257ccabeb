# Runs a server for as long as another process exists, so that no server outlives its tests, however they end.
# Usage: sh keep-service.sh OWNER_PID FOLDER COMMAND...   The folder is removed with its owner.
owner=$1
folder=$2
shift 2
"$@" &
server=$!
owner_exists() { [ -d "/proc/$owner" ] || ps -p "$owner" >/dev/null 2>&1; }
while kill -0 $server 2>/dev/null && owner_exists; do sleep 1; done
if ! owner_exists; then
  kill -INT $server 2>/dev/null
  wait $server
  rm -rf "$folder"
fi
