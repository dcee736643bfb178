import { describe, expect, test } from 'vitest'
import { documentedOptions, optionsFault, parseOptions, refusedOptions, secretWay } from './mountRules.ts'

const lines = (text: string) => text.trim().split(/\s+/)

/** The options of mount.cifs(8), cifs-utils 7.5, with a value as its text describes it. */
const ofCifs = lines(`
  uid=1000 forceuid gid=users forcegid idsfromsid port=445 netbiosname=AGENT servern=NAS file_mode=0755 dir_mode=0755 domainauto guest
  iocharset=utf8 ro rw setuids nosetuids perm noperm dynperm cache=strict nostrictsync handlecache nohandlecache max_cached_dirs=16
  handletimeout=120000 rwpidforward mapchars nomapchars mapposix intr nointr hard soft noacl cifsacl backupuid=STUDIO\\ana backupgid=5
  nocase ignorecase sec=ntlmsspi seal esize=0 rdma resilienthandles noresilienthandles persistenthandles nopersistenthandles
  snapshot=@GMT-2019.03.27-20.52.19 nobrl forcemandatorylock locallease nolease sfu mfsymlinks echo_interval=60 serverino noserverino
  posix unix linux noposix nounix nolinux nouser_xattr nodfs noautotune nosharesock noblocksend rsize=4194304 wsize=65536 bsize=16384
  max_credits=32000 fsc multiuser actimeo=1 acregmax=1 acdirmax=1 upcall_target=mount multichannel max_channels=4 closetimeo=1
  noposixpaths posixpaths compress vers=3.1.1 sloppy`)
/** The options of nfs(5), nfs-utils 2.8. */
const ofNfs = lines(`
  nfsvers=4.1 vers=4.2 soft softerr hard softreval nosoftreval intr nointr timeo=600 retrans=2 rsize=1048576 wsize=1048576 ac noac
  acregmin=3 acregmax=60 acdirmin=30 acdirmax=60 actimeo=60 bg fg nconnect=16 rdirplus nordirplus rdirplus=force retry=2
  sec=krb5:krb5i:krb5p sharecache nosharecache resvport noresvport lookupcache=positive fsc nofsc sloppy xprtsec=mtls noalignwrite
  proto=tcp6 udp tcp rdma port=2049 mountport=20048 mountproto=tcp mountvers=3 namlen=255 lock nolock cto nocto acl noacl
  local_lock=flock minorversion=1 clientaddr=192.0.2.7 clientaddr=2001:db8::7 migration nomigration max_connect=16 trunkdiscovery
  notrunkdiscovery`)
const ofMount = lines(
  '_netdev noauto auto nofail defaults nodiratime relatime noatime lazytime nosuid nodev noexec nosymfollow async',
)

describe('mount options', () => {
  test.each([...ofCifs, ...ofNfs, ...ofMount])('accept the documented %s', (option) => {
    expect(optionsFault(option)).toBeUndefined()
    expect(optionsFault(` seal , ${option},`)).toBeUndefined()
  })
  test.each(['', ' ', ',', 'uid = 1000', 'hard\n,soft', 'v4.1'])('accept %j', (options) =>
    expect(optionsFault(options)).toBeUndefined(),
  )
  test('accept up to 10,000 characters', () => {
    const options = 'rsize=1048576,'.repeat(714)
    expect(optionsFault(options)).toBeUndefined()
  })

  const refused = Object.entries(refusedOptions).flatMap(([reason, names]) => names.map((name) => [name, reason]))
  test.each(refused)('refuse %s with the reason', (name, reason) => {
    for (const option of [name, `${name}=x`, ` ${name} = /etc/shadow`, `nodev,${name}`])
      expect(optionsFault(`seal,${option}`)).toBe(`must not contain ${name}: ${reason}`)
    expect(optionsFault(name.toUpperCase())).toContain(`: ${reason}`)
  })
  test('refuse no option that they accept', () => {
    const accepted = Object.values(documentedOptions).flat()
    expect(accepted.filter((name) => optionsFault(`${name}=1`))).toEqual([])
  })
  test.each([
    ['X-mount.mkdir', 'get no rights'],
    ['x-mount.subdir=../..', 'get no rights'],
    ['exec,noexec', 'get no rights'],
    ['dev\t', 'get no rights'],
    ['seal,\u00a0suid\u00a0', 'get no rights'],
    ['credentials=/etc/shadow', 'the sign-in is that of the credentials'],
    ['ip=192.0.2.7,ip=192.0.2.8', 'connects only to the host'],
  ])('refuse %j', (options, reason) => expect(optionsFault(options)).toContain(reason))
  test.each([
    'RO',
    'ro exec',
    '-o',
    '--bind',
    '=',
    '=x',
    '__proto__',
    'constructor=1',
    'nosuid exec',
    'ro;exec',
    'ignore_signature',
    'vers=3=4',
    'vers=',
    'vers',
    'port',
    'port=',
    'sec',
    'uid=0;id',
    'uid=$(id)',
    'vers=3.0\nexec',
    'uid=0 exec',
    'uid=a/b',
    `uid=${'1'.repeat(65)}`,
    'iocharset="utf8',
    'uid="0,exec"',
    "uid='0'",
    'port=4\x004',
    'nösuid',
  ])('refuse %j, alone or among others', (option) => {
    expect(optionsFault(option)).toMatch(/^must/)
    expect(optionsFault(`seal,${option},noatime`)).toMatch(/^must/)
    expect(optionsFault(`seal,${option},${option.split('=')[0]}=1`)).toMatch(/^must/)
  })
})

test('the last of repeated options counts, and is the last for mount', () => {
  expect([...parseOptions('hard, vers=1.0,soft,vers = 3.0 ,hard')]).toEqual([
    ['soft', undefined],
    ['vers', '3.0'],
    ['hard', undefined],
  ])
})

describe('the way of a password', () => {
  const usual = { port: '', sec: 'ntlmssp', vers: 'default' }
  test.each([
    '',
    'seal,hard',
    'sec=ntlmssp',
    'vers=3',
    'vers=2.1',
    'vers=3.1.1,sec=ntlmssp',
    'vers=default',
    'sec=none,sec=ntlmssp',
  ])('is the default with %j', (options) => expect(secretWay(options)).toEqual(usual))
  test.each([
    'port=4455',
    'port=0x1167',
    'port=0X1167',
    'port=010547',
    ' port = 4455 ',
    'port=+4455',
    'port=1,port=0x1167',
  ])('has the port 4455 with %j', (options) => expect(secretWay(options)).toEqual({ ...usual, port: '4455' }))
  test.each(['none', 'ntlm', 'ntlmi', 'ntlmv2', 'krb5', 'NTLMSSP', 'ntlmssp:none', 'nontlm'])(
    'differs with sec=%s',
    (sec) => {
      expect(secretWay(`sec=${sec}`)).toEqual({ ...usual, sec })
      expect(secretWay(`sec=ntlmssp, seal, sec = ${sec}`)).toEqual({ ...usual, sec })
    },
  )
  test.each(['1.0', '1', '2.0', '2', '01.0', '1.0.0', '2.02', 'smb1', 'DEFAULT', '0x3'])(
    'differs with vers=%s',
    (vers) => {
      expect(secretWay(`vers=${vers}`)).toEqual({ ...usual, vers })
      expect(secretWay(`vers=3.0,vers=${vers}`)).toEqual({ ...usual, vers })
    },
  )
  test.each(['port=65981', 'port=0x', 'port=08', 'port=4455abc', 'port=-1'])('is not the default with %s', (options) =>
    expect(secretWay(options)).not.toEqual(usual),
  )
})
