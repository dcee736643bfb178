#!/bin/sh
# Installs the Node of deploy/setup/nodeRelease.js, without its symbols, and npm, into /opt/node. For the build of the images only.
# NPM_REGISTRY is the registry; /run/secrets/ca may have further certificate authorities.
set -eu
if [ -s /run/secrets/ca ]; then
  cat /etc/ssl/certs/ca-certificates.crt /run/secrets/ca > /tmp/ca.pem
  export CURL_CA_BUNDLE=/tmp/ca.pem
fi
npm_version=11.19.1
npm_integrity='sha512-ztsxKxt/kkIaAs+2i0GU6I+DRmUdrNasxTZKJe9TCdSjKxlhah/4r/hl5ygMD6XAg1qZ9c2TNomR4qgOydp10g=='

release=$(dirname "$0")/../setup/nodeRelease.js
case $(dpkg --print-architecture) in amd64) platform=linux-x64 ;; arm64) platform=linux-arm64 ;; *) exit 1 ;; esac
node_version=$(sed -n "s/^export const newNode = '\(.*\)'/\1/p" "$release")
node_integrity=$(sed -n "/'$platform'/,/}/s/.*integrity: *'\(.*\)'.*/\1/p" "$release" | head -n 1)

# Unpacks a package of the registry into a folder, if its content has the known SHA-512.
install_package() {
  curl -fsSL --retry 3 -o /tmp/package.tgz "$NPM_REGISTRY/$1/-/$1-$2.tgz"
  hash=$(printf %s "${3#sha512-}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
  echo "$hash  /tmp/package.tgz" | sha512sum --check --quiet
  mkdir -p "$4"
  tar -xzf /tmp/package.tgz -C "$4" --strip-components=1
  rm /tmp/package.tgz
}
install_package "node-$platform" "$node_version" "$node_integrity" /opt/node
install_package npm "$npm_version" "$npm_integrity" /opt/npm
strip --strip-unneeded /opt/node/bin/node
printf '#!/bin/sh\nexec /opt/node/bin/node /opt/npm/bin/npm-cli.js "$@"\n' > /opt/node/bin/npm
chmod 755 /opt/node/bin/node /opt/node/bin/npm
