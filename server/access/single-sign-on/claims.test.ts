import { expect, test } from 'vitest'
import { groupsIn, isGroup, withUserInfo } from './claims.ts'

const claims = (more: object) => ({ iss: 'https://provider', sub: '1', ...more })
const groups = (more: object, ...names: string[]) => groupsIn(claims(more), names.length > 0 ? names : ['groups'])

test('groups are read from lists, texts and objects', () => {
  expect(groups({ groups: ['a', 'b c', 7, null, { name: 'd' }, { value: 'id', display: 'e' }] })).toEqual([
    'a',
    'b c',
    '7',
    'd',
    'e',
  ])
  expect(groups({ groups: 'storage admins' })).toEqual(['storage admins'])
  expect(groups({ groups: 'a, b c,"d, e"' })).toEqual(['a', 'b c', 'd, e'])
  expect(groups({ groups: '["a", "b"]' })).toEqual(['a', 'b'])
  expect(groups({ groups: 'a;b|c\nd' })).toEqual(['a', 'b', 'c', 'd'])
  expect(groups({ groups: '[admins' })).toEqual(['[admins'])
  expect(groups({ groups: { admins: { 4711: 'example.com' }, pm: {} } })).toEqual(['admins', 'pm'])
  expect(groups({ groups: 'CN=a,OU=x;CN=b,OU=y' })).toEqual(['CN=a,OU=x', 'CN=b,OU=y'])
  // An item of a list is one group, even with commas in it.
  expect(groups({ groups: ['Ops, admins', 'CN=a,OU=x'] })).toEqual(['Ops, admins', 'CN=a,OU=x'])
})

test('a claim without groups is present, and one that is missing, null or with another service is absent', () => {
  for (const present of [{ groups: [] }, { groups: '' }, { groups: {} }]) expect(groups(present)).toEqual([])
  for (const absent of [{}, { groups: null }, { _claim_names: { groups: 'src1' } }, { hasgroups: true }])
    expect(groups(absent)).toBe(undefined)
})

test('a claim may be a path, and several claims count together', () => {
  const keycloak = { realm_access: { roles: ['user'] }, resource_access: { 'my.app': { roles: ['admins'] } } }
  expect(groups(keycloak, 'resource_access.my.app.roles')).toEqual(['admins'])
  expect(groups(keycloak, 'resource_access.my\\.app.roles')).toEqual(['admins'])
  expect(groups(keycloak, 'realm_access.roles', 'resource_access.my.app.roles')).toEqual(['user', 'admins'])
  expect(groups(keycloak, 'resource_access.other.roles')).toBe(undefined)
  expect(groups(keycloak, 'realm_access.roles.more')).toBe(undefined)
  expect(groups({ 'https://example.com/groups': ['a'] }, 'https://example.com/groups')).toEqual(['a'])
  expect(groups({ 'https://example.com/claims': { groups: ['a'] } }, 'https://example.com/claims.groups')).toEqual([
    'a',
  ])
  expect(groups({ 'resource_access.app.roles': ['flat'] }, 'resource_access.app.roles')).toEqual(['flat'])
  expect(groups({ 'urn:zitadel:iam:org:project:roles': { admin: {} } }, 'urn:zitadel:iam:org:project:roles')).toEqual([
    'admin',
  ])
  expect(groups({}, '__proto__', 'constructor.name')).toBe(undefined)
})

test('a distinguished name is a group by all of it, or by its first value', () => {
  const given = 'CN=admins,OU=Groups,DC=example,DC=com'
  expect(isGroup(given, 'admins')).toBe(true)
  expect(isGroup(given, 'cn=Admins, ou=groups, dc=example, dc=com')).toBe(true)
  expect(isGroup(given, 'CN=admins,OU=Others,DC=example,DC=com')).toBe(false)
  expect(isGroup(given, 'Groups')).toBe(false)
  expect(isGroup('CN=Ops\\, admins,OU=x', 'Ops, admins')).toBe(true)
  expect(isGroup('CN=Ops\\2C admins,OU=x', 'Ops, admins')).toBe(true)
  expect(isGroup('CN=Ops\\, admins,OU=x', 'admins')).toBe(false)
})

test('other groups are compared as they are', () => {
  expect(isGroup('admins', 'admins')).toBe(true)
  expect(isGroup('/admins', 'admins')).toBe(true)
  for (const other of ['Admins', '/org/admins', 'storage admins', 'admins '])
    expect(isGroup(other, 'admins')).toBe(false)
})

test('userinfo adds what the ID token lacks, and replaces nothing', () => {
  const token = claims({ email: 'a@example.com', groups: null, realm_access: { roles: ['a'] } })
  const more = { sub: '2', email: 'b@example.com', groups: ['g'], realm_access: { roles: ['b'], more: 1 } }
  expect(withUserInfo(token, more)).toEqual(
    claims({ email: 'a@example.com', groups: ['g'], realm_access: { roles: ['a'], more: 1 } }),
  )
})
