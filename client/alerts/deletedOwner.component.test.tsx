import { screen, waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { notifications } from '#events/notifications/calls.ts'
import { projects } from '#events/projects/calls.ts'
import { reportChecks } from '#events/reports/runs.ts'
import type { AlertStatus } from '#events/schedules/alerts.ts'
import { type Schedule, schedules } from '#events/schedules/calls.ts'
import { storagesOf } from '#client/settings/testing.ts'
import { answer, pageWith } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'

const alert: AlertStatus = {
  state: null,
  evaluatedAt: null,
  reason: null,
  lastSent: null,
  isWebhookLost: true,
  isOwnerDeleted: true,
}
const filmsFull: Schedule = {
  id: 1,
  name: 'Films full',
  cron: '0 0 0 ? * MON',
  paused: true,
  jobGroup: 'ALERT',
  jobClass: 'VOLUME_SPACE_ALERT',
  payload: { threshold: 75, resourceIds: [1] },
  delivery: { email: true, channelIds: [], addresses: [], webhook: null, webhookFormat: 'AUTO', webhookTemplate: null },
  nextRuns: [],
  lastRun: null,
  alert,
}

const show = () =>
  open('/alerts?tab=rules', {
    answers: [
      answer(schedules.list, [filmsFull]),
      answer(schedules.update),
      answer(schedules.preview, { times: [], timeZone: 'UTC' }),
      storagesOf([[1, 'Films', 'crawl.files']]),
      answer(projects.list, pageWith([])),
      answer(reportChecks, []),
      answer(notifications.list, pageWith([])),
    ],
  })

test('an alert of a deleted user says so, and is turned on before it is tested', async () => {
  const { person, api } = await show()
  await person.see('Paused: its owner was deleted. Turn it on to make it yours.')
  expect(screen.getByRole('button', { name: 'Send test of alert Films full' }).title).toBe('Turn it on first')
  await person.pressAt(screen.getByRole('switch', { name: 'Films full is active' }))
  await waitFor(() =>
    expect(api.inputs(schedules.update)).toMatchObject([{ params: { id: 1 }, body: { paused: false } }]),
  )
})

test('the webhook of a deleted user is to be replaced by a channel', async () => {
  const { person } = await show()
  await person.see('Its webhook can no longer be decrypted. Edit the alert and select a channel.')
})
