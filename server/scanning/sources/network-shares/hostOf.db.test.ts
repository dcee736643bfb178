import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testPriceBook, testSession } from '#server/testing.ts'
import { networkShareRoutes } from '../index.ts'

const platform = await testPlatform()
const { db } = platform
const ask = asUser(createApp(platform, networkShareRoutes(platform)), await testSession(db, ['ROLE_ADMIN']))
const storagePrice = await testPriceBook(db)

/** A share with credentials whose password was entered an hour ago; returns a function that changes its options, and shows the fault. */
async function shareWith(name: string, optionsOfCredentials: string, options: string) {
  const path = '/api/v1/networkVolumes'
  const credentials = { name, username: 'scan', password: 'planted', domain: '', options: optionsOfCredentials }
  const { id } = (await ask('POST', `${path}/credentials`, credentials).expect(200)).body
  const share = {
    dataintellName: name,
    type: 'SMB',
    host: 'nas.example.com',
    shareName: 'media',
    networkVolumeCredential: { id },
    storagePrice,
  }
  const stored = (await ask('POST', path, { ...share, options }).expect(200)).body.id
  await db
    .updateTable('networkCredentials')
    .set({ enteredAt: sql<Date>`now() - interval '1 hour'` })
    .execute()
  return async (changed: string): Promise<string | undefined> => {
    const { status, body } = await ask('PUT', `${path}/${stored}`, { ...share, options: changed })
    const place = /before you use them for (.*?)\. They/.exec(body.subErrors?.[0]?.message ?? '')?.[1]
    expect(status).toBe(place === undefined ? 204 : 400)
    return place
  }
}

test('options that change the port, the security mode or the version need the password again, in any notation', async () => {
  const placeOf = await shareWith('Media', '', '')
  const ways = {
    'vers=3.0, port=4450': 'nas.example.com:4450',
    'port=0x1162': 'nas.example.com:4450',
    'sec=ntlmssp, sec = none': 'nas.example.com with sec=none',
    'vers=1.0,sec=ntlm': 'nas.example.com with sec=ntlm and vers=1.0',
    'port=010542,vers=2.0': 'nas.example.com:4450 with vers=2.0',
  }
  for (const [options, place] of Object.entries(ways)) expect(await placeOf(options)).toBe(place)
  for (const options of ['vers=3.1.1,sec=ntlmssp,hard,nodiratime,_netdev', 'vers=3', ''])
    expect(await placeOf(options)).toBeUndefined()
})

test('options of a share that weaken its credentials need the password again', async () => {
  const placeOf = await shareWith('Strict', 'sec=krb5,port=4450', '')
  expect(await placeOf('sec=ntlmssp')).toBe('nas.example.com with sec=ntlmssp')
  expect(await placeOf('port=445')).toBe('nas.example.com:445')
  expect(await placeOf('sec=krb5,port=0x1162')).toBeUndefined()
})
