#!/bin/bash
# Init of a test's separate kernel: sets up the system, runs a program, and shuts down.
# /mnt is the test's folder; the rest of the file system is that of the host, read-only.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/run TMPDIR=/run/tmp
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t tmpfs run /run
mount -t hostfs -o "$FOLDER" folder /mnt
mkdir -p /run/tmp /run/samba /run/modules/lib
ip link set lo up
# With only a loopback interface, names are not resolved.
ip address add 192.0.2.1/32 dev lo
ln -s /usr/lib/uml/modules /run/modules/lib/modules
printf '#!/bin/sh\nexec modprobe -d /run/modules "$@"\n' > /run/modprobe
chmod +x /run/modprobe
echo /run/modprobe > /proc/sys/kernel/modprobe
for name in cifs nfs nfsv4; do /run/modprobe "$name"; done
"$NODE" "$PROGRAM" > /mnt/output 2> /mnt/errors
echo o > /proc/sysrq-trigger
sleep 60
