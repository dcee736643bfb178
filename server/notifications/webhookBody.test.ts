import { expect, test } from 'vitest'
import { formatFor, webhookBody as fields } from '#events/notifications/webhooks.ts'
import { webhookBodyOf } from './webhookBody.ts'

const content = { subject: 'Scan 7: <Failure> & "more"', text: 'Line one\nLine two\n', data: '{"id":7}' }
const bodyOf = (format: Parameters<typeof webhookBodyOf>[0], template: string | null = null, more: object = {}) => {
  const { body, type } = webhookBodyOf(format, template, { ...content, ...more })
  return type === 'application/json' ? JSON.parse(body) : body
}

test('each service gets the body that it requires', () => {
  expect(bodyOf('JSON')).toEqual({ id: 7 })
  expect(bodyOf('SLACK')).toEqual({ text: '*Scan 7: &lt;Failure&gt; &amp; "more"*\nLine one\nLine two' })
  expect(bodyOf('DISCORD')).toEqual({
    content: '**Scan 7: <Failure> & "more"**\nLine one\nLine two',
    allowed_mentions: { parse: [] },
  })
  expect(bodyOf('TEAMS')).toMatchObject({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: { type: 'AdaptiveCard', body: [{ text: content.subject }, { text: 'Line one\n\nLine two' }] },
      },
    ],
  })
  expect(bodyOf('NTFY')).toBe('Scan 7: <Failure> & "more"\n\nLine one\nLine two')
  expect(webhookBodyOf('NTFY', null, content).type).toBe('text/plain; charset=utf-8')
})

test('long texts are cut at the limits of the services, at whole characters', () => {
  const long = { text: '😀'.repeat(5_000) }
  expect(bodyOf('DISCORD', null, long).content.length).toBeLessThanOrEqual(2_000)
  expect(bodyOf('DISCORD', null, long).content.isWellFormed()).toBe(true)
  const ntfy = bodyOf('NTFY', null, long)
  expect(Buffer.byteLength(ntfy)).toBeLessThanOrEqual(4_000)
  expect(ntfy).toMatch(/😀…$/u)
})

test('a template is filled; values are escaped within JSON', () => {
  expect(bodyOf('TEMPLATE', '{"title": "{{subject}}", "message": "{{ text }}", "raw": "{{data}}"}')).toEqual({
    title: content.subject,
    message: 'Line one\nLine two',
    raw: '{"id":7}',
  })
  expect(bodyOf('TEMPLATE', '{"title": "{{subject}}", "job": {{data}}}')).toEqual({
    title: content.subject,
    job: { id: 7 },
  })
  expect(bodyOf('TEMPLATE', '{{subject}}: {{text}}')).toBe(`${content.subject}: Line one\nLine two`)
  const problem = (template: string) => fields.webhookTemplate.safeParse(template).error?.issues[0]?.message
  expect(problem('{{text}}')).toBeUndefined()
  expect(problem('{{titel}}')).toBe('has an unknown placeholder {{titel}}; known are subject, text, data')
  expect(problem('hello')).toContain('must have a placeholder')
})

test.each([
  ['https://hooks.slack.com/services/T0/B0/x', 'SLACK'],
  ['https://discord.com/api/webhooks/1/x', 'DISCORD'],
  ['https://canary.discord.com/api/webhooks/1/x', 'DISCORD'],
  ['https://example.webhook.office.com/webhookb2/x', 'TEAMS'],
  ['https://prod-1.westeurope.logic.azure.com:443/workflows/x', 'TEAMS'],
  ['https://abc.environment.api.powerplatform.com:443/powerautomate/x', 'TEAMS'],
  ['https://ntfy.sh/storage', 'NTFY'],
  ['https://example.com/hooks.slack.com', 'JSON'],
  ['not an address', 'JSON'],
])('the format of %s is %s, unless another one is chosen', (address, format) => {
  expect(formatFor('AUTO', address)).toBe(format)
  expect(formatFor('JSON', address)).toBe('JSON')
})
