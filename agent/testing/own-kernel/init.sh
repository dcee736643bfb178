#!/bin/bash
# The first program of a kernel of a test's own: gives it what a machine has, runs a program, and switches the machine off.
# What is written to /mnt is written to the test's folder; everything else is as it is outside, and cannot be written.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/run TMPDIR=/run/tmp
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t tmpfs run /run
mount -t hostfs -o "$FOLDER" folder /mnt
mkdir -p /run/tmp /run/samba /run/modules/lib
ip link set lo up
# With nothing but loopback, names are not even looked up.
ip address add 192.0.2.1/32 dev lo
ln -s /usr/lib/uml/modules /run/modules/lib/modules
printf '#!/bin/sh\nexec modprobe -d /run/modules "$@"\n' > /run/modprobe
chmod +x /run/modprobe
echo /run/modprobe > /proc/sys/kernel/modprobe
for name in cifs nfs nfsv4; do /run/modprobe "$name"; done
"$NODE" "$PROGRAM" > /mnt/said 2> /mnt/errors
echo o > /proc/sysrq-trigger
sleep 60
