import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Samba, smbPrograms, startSamba, missingForSamba } from '#agent/testing/sambaServer.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { hands, look, signInAt, testVisit } from '../testing.ts'

const reason = missingForSamba()
const gibibyte = 2 ** 30
const password = 'of the studio, = and more'

describe.skipIf(reason)(`the first day with a real SMB server${reason ? `: not tried, ${reason}` : ''}`, async () => {
  const environment: NodeJS.ProcessEnv = {}
  const scratch = testFolder('first-day')
  let samba: Samba | undefined
  beforeAll(async () => {
    const share = join(scratch, 'share')
    mkdirSync(join(share, 'shows'), { recursive: true })
    for (let take = 0; take < 20; take++) writeFileSync(join(share, 'shows', `take_${take}.mov`), 'x'.repeat(50_000))
    samba = await startSamba(join(scratch, 'samba'), share, password)
    const programs = smbPrograms(join(scratch, 'programs'))
    environment['PATH'] = [programs, process.env['PATH']].filter((some) => some).join(':')
  })
  afterAll(() => samba?.stop())
  const visit = await testVisit({ environment })
  const on = () => hands(visit)

  test('an empty product leads to its settings, where a share is set up with credentials and a price', async () => {
    const { press, see, write, key, closed } = on()
    await signInAt(visit, '/')
    await see('There is no data indexed. You need to do a scan here')
    await press('here', 'link')
    await see('Select a Storage Type')
    await key('Enter')
    await press('SMB', 'radio')
    await write('Name', 'Shows')
    await write('Host', '127.0.0.1')
    await write('Share Name', 'media')
    await write('Options', `port=${samba?.port}`)
    await press('New credentials')
    await write('Name', 'Studio')
    await write('Username', 'root')
    await visit.page.type('input[type="password"]', password)
    await key('Enter')
    await see('On-Premises credentials was created successfully')
    await write('Path', '/nothing')
    await press('Next')
    await see('There is no folder /nothing in //127.0.0.1/media')
    await write('Path', '/shows')
    await press('Next')
    await press('New price book')
    await write('Name', 'Fast')
    await write('Currency Symbol', '$')
    await write('Storage Price (GB/Year)', '1200000')
    await press('Add price book')
    await press('Next')
    await see(/Shows[^]*SMB[^]*127\.0\.0\.1[^]*media[^]*Fast/)
    await press('Next')
    await press('Scan now', 'checkbox')
    await press('Save')
    await see('Shows was added')
    await closed()
    expect(await visit.page.content()).not.toContain(password)
  })

  test('the share is scanned, and its monthly cost is next to its folders', async () => {
    const { press, see, choose, closed } = on()
    await visit.page.goto(`${visit.product.address}/storages`)
    await press('Scan Shows')
    await press('Scan 1 storage')
    await closed()
    const isScanned = async () => ((await visit.product.call('GET', '/v1/volumes')).answer as { total: number }).total
    await expect.poll(isScanned, { timeout: 60_000 }).toBe(1)
    await visit.page.goto(`${visit.product.address}/filemanagement?volumeId=1&path=/`)
    await see('take_7.mov')
    await choose('Last column', 'Monthly Cost')
    const monthly = ((50_000 / gibibyte) * 1_200_000) / 12
    await see(new RegExp(`take_7\\.mov[^]*\\$ ?${monthly.toFixed(2)}`))
    expect(await look(visit, 'first-day-cost')).toEqual([])
  })

  test('the share is scanned every night from then on', async () => {
    const { press, see, write, choose, closed } = on()
    await visit.page.goto(`${visit.product.address}/settings/schedules`)
    await press('Add schedule')
    await see('Schedule a Job')
    await write('Name', 'Every night')
    await write('Cron', '0 0 2 * * ?')
    await choose('Job', 'Scan all file storages')
    await press('Save')
    await see('Schedule Every night was created')
    await closed()
    await see(/Every night[^]*Every day at 02:00/)
    expect(visit.complaints).toEqual([])
  })
})
