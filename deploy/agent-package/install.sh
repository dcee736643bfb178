#!/bin/sh
# Installs or updates a DataIntell agent on this machine.
#
#   sh install.sh --server http://server:8080 [--folder DIR] [--no-service] [--no-start]
#
# The settings of the agent are read from the standard input, one per line, because command lines are visible to all users:
# AGENT_ID, NATS_URL, AGENT_SEED and, for a server with a certificate of its own, CA_SHA256. An agent that is installed is updated
# with AGENT_ID alone. PACKAGE_SHA256 is the checksum of a package after its platform and a colon; nothing else is unpacked.
# As root on a machine with systemd, the agent becomes a service. Otherwise it runs in this terminal.
set -eu
umask 077

fail() {
  echo "$*" >&2
  exit 1
}

server= folder= service=yes start=yes
while [ $# -gt 0 ]; do
  case $1 in
    --server) server=${2%/}; shift 2 ;;
    --folder) folder=$2; shift 2 ;;
    --no-service) service=no; shift ;;
    --no-start) start=no; shift ;;
    *) fail "Unknown option $1" ;;
  esac
done
case $server in http://*|https://*) ;; *) fail "Add --server with the address of the server" ;; esac

case $(uname -s) in Linux) system=linux ;; Darwin) system=darwin ;; *) fail "There is no agent for $(uname -s)" ;; esac
case $(uname -m) in x86_64|amd64) machine=x64 ;; aarch64|arm64) machine=arm64 ;; *) fail "There is no agent for $(uname -m)" ;; esac
package=dataintell-agent-$system-$machine.tar.gz

AGENT_ID= NATS_URL= AGENT_SEED= CA_SHA256= PACKAGE_SHA256=
while IFS='=' read -r key value; do
  case $key=$value in
    AGENT_ID=*) AGENT_ID=$value ;;
    NATS_URL=*) NATS_URL=$value ;;
    AGENT_SEED=*) AGENT_SEED=$value ;;
    CA_SHA256=*) CA_SHA256=$value ;;
    PACKAGE_SHA256=$system-$machine:*) PACKAGE_SHA256=${value#*:} ;;
  esac
done
matches() { printf '%s\n' "$1" | grep -Eq "^($2)\$"; }
matches "$AGENT_ID" '[1-9][0-9]*' || fail "AGENT_ID is missing. Copy the whole command."
if [ -z "$folder" ]; then
  if [ "$(id -u)" = 0 ]; then folder=/opt/dataintell-agent; else folder=$HOME/.dataintell/agent; fi
fi
matches "$folder" '/[A-Za-z0-9/._-]+' || fail "The folder must be an absolute path without spaces"
env=$folder/agent-$AGENT_ID.env
isUpdate=no
if [ -z "$NATS_URL$AGENT_SEED" ]; then
  [ -f "$env" ] || fail "Agent $AGENT_ID is not installed in $folder. Copy the whole command."
  isUpdate=yes
else
  matches "$NATS_URL" '[A-Za-z0-9:/.,_[-]*[]A-Za-z0-9:/.,_[-]*' || fail "NATS_URL is missing. Copy the whole command."
  matches "$AGENT_SEED" 'SU[A-Z2-7]{56}' || fail "AGENT_SEED is missing or incomplete. Copy the whole command."
fi
matches "$PACKAGE_SHA256" '[0-9a-f]{64}' ||
  fail "The command has no checksum of $package. The server's own platform is built automatically; for another one, run 'npm run agent:package' on a machine of that platform, copy the file to agent-package/ in the server's data folder, and copy the command again."
mkdir -p "$folder"

download() {
  if command -v curl >/dev/null 2>&1; then curl -fsSL -o "$2" "$1"; else wget -q -O "$2" "$1"; fi
}

checksum() {
  { sha256sum "$1" 2>/dev/null || shasum -a 256 "$1" 2>/dev/null || fail "This machine has neither sha256sum nor shasum"; } | cut -d ' ' -f 1
}

making=$(mktemp -d "$folder/making-XXXXXX")
trap 'rm -rf "$making"' EXIT
echo "Downloading the agent from $server"
download "$server/agent/$package" "$making/package.tar.gz" ||
  fail "The server has no package $package, or can't be reached. If too many machines download it at once, try again in a minute."
[ "$(checksum "$making/package.tar.gz")" = "$PACKAGE_SHA256" ] ||
  fail "The package is not the one of this command. If the server was updated, copy the command again. If not, someone may be intercepting the connection."
tar -xzf "$making/package.tar.gz" -C "$making" || fail "The package is damaged"

ca=
if [ -n "$CA_SHA256" ]; then
  ca=$folder/agent-$AGENT_ID.ca.pem
  download "$server/agent/ca.pem" "$making/ca.pem" || fail "The certificate of the server can't be downloaded"
  [ "$(checksum "$making/ca.pem")" = "$CA_SHA256" ] || fail "The certificate is not the one that the server named. Someone may be intercepting the connection."
  mv "$making/ca.pem" "$ca"
fi

rm -rf "$folder/previous"
[ ! -d "$folder/dataintell-agent" ] || mv "$folder/dataintell-agent" "$folder/previous"
mv "$making/dataintell-agent" "$folder/dataintell-agent"
rm -rf "$folder/previous"

if [ $isUpdate = no ]; then
  printf '%s\n' "$AGENT_SEED" > "$folder/agent-$AGENT_ID.seed"
  {
    echo "AGENT_ID=$AGENT_ID"
    echo "NATS_URL=$NATS_URL"
    echo "AGENT_SEED_FILE=$folder/agent-$AGENT_ID.seed"
    echo "AGENT_STATE=$folder/agent-$AGENT_ID"
    echo "NODE_COMPILE_CACHE=$folder/agent-$AGENT_ID/compiled"
    [ -z "$ca" ] || echo "NATS_CA=$ca"
  } > "$env"
fi
rm -rf "$making"
trap - EXIT

if [ "$service" = yes ] && [ "$(id -u)" = 0 ] && [ -d /run/systemd/system ]; then
  sed "s|@FOLDER@|$folder|g" "$folder/dataintell-agent/dataintell-agent@.service" > /etc/systemd/system/dataintell-agent@.service
  chmod 644 /etc/systemd/system/dataintell-agent@.service
  systemctl daemon-reload
  systemctl enable --quiet "dataintell-agent@$AGENT_ID"
  [ "$start" = no ] || systemctl restart "dataintell-agent@$AGENT_ID"
  echo "Installed the service dataintell-agent@$AGENT_ID. Its log: journalctl -u dataintell-agent@$AGENT_ID"
elif [ "$start" = yes ]; then
  echo "The agent runs in this terminal until you press Ctrl-C. To start it again: $folder/dataintell-agent/dataintell-agent $env"
  exec "$folder/dataintell-agent/dataintell-agent" "$env" </dev/null
else
  echo "Installed. To start the agent: $folder/dataintell-agent/dataintell-agent $env"
fi
