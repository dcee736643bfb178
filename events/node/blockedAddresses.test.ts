import { expect, test } from 'vitest'
import { blockedAs } from './blockedAddresses.ts'

const metadata = [
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fd00:ec2::254',
  'fd20:ce::254',
]
test.each(metadata)('%s, where clouds publish credentials, is blocked for everyone', (address) =>
  expect(blockedAs(address)).toBe('metadata'),
)

const hidden = [
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '::ffff:c000:c0',
  '::169.254.169.254',
  '::a83f:8110',
  '::2',
  '::ffff:0:169.254.169.254',
  '64:ff9b::169.254.169.254',
  '64:ff9b::100.100.100.200',
  '64:ff9b::168.63.129.16',
  '64:ff9b::192.0.0.192',
  '64:ff9b:1::a9fe:a9fe',
  '64:ff9b:1:a9fe:a9:fe00::',
  '2002:a9fe:a9fe::1',
  '2002:a9fe::',
  '2002:6464:64c8::',
  '2002:c000:c0::1',
  '2001:0:102:304::5601:5601',
]
test.each(hidden)('%s, the same in another form, is blocked for everyone', (address) =>
  expect(blockedAs(address)).toBe('metadata'),
)

const internal = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '172.16.0.1',
  '192.0.0.1',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:10.0.0.1',
  '::ffff:0:10.0.0.1',
  '64:ff9b::10.0.0.1',
  '2002:a00:1::',
  'fc00::1',
  'fd12::1',
  'fec0::1',
  'feff::1',
  'ff02::1',
]
test.each(internal)('%s is internal', (address) => expect(blockedAs(address)).toBe('internal'))

const open = [
  '93.184.215.14',
  '172.32.0.1',
  '168.63.129.17',
  '192.0.1.192',
  '2606:2800:21f:cb07:6820:80da:af6b:8b2c',
  '2001:4860:4860::8888',
  '2003::1',
  '::ffff:93.184.215.14',
  's3.amazonaws.com',
  '',
]
test.each(open)('%s is not blocked', (address) => expect(blockedAs(address)).toBeUndefined())
