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
  expect(bodyOf('SLACK')).toEqual({
    text: '*Scan 7: &lt;Failure&gt; &amp; "more"*\nLine one\nLine two',
    blocks: [
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'text', text: content.subject, style: { bold: true } },
              { type: 'text', text: '\nLine one\nLine two\n' },
            ],
          },
        ],
      },
    ],
  })
  expect(bodyOf('DISCORD')).toEqual({
    content: '**Scan 7: \\<Failure\\> & "more"**\nLine one\nLine two',
    allowed_mentions: { parse: [] },
  })
  const card = bodyOf('TEAMS')
  expect(card).toMatchObject({
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: { type: 'AdaptiveCard' } }],
  })
  expect(runsOf(card)).toEqual([content.subject, 'Line one', 'Line two'])
  expect(bodyOf('NTFY')).toBe('Scan 7: <Failure> & "more"\n\nLine one\nLine two')
  expect(webhookBodyOf('NTFY', null, content).type).toBe('text/plain; charset=utf-8')
})

const runsOf = (card: {
  attachments: { content: { body: { type: string; inlines: { type: string; text: string }[] }[] } }[]
}) =>
  card.attachments[0]!.content.body.flatMap(({ type, inlines }) => {
    expect([type, ...inlines.map((run) => run.type)]).toEqual(['RichTextBlock', 'TextRun'])
    return inlines.map(({ text }) => text)
  })

const nasty = [
  '__init__ *v2* ~x~ [a](http://example.com)',
  '<!channel> <@U1> @everyone @here <https://a.example|Sign in>',
  '`rm` ```x``` ||spoiler|| # > - \\*b\\* :smile: #room',
]

test.each(nasty)('the name %s is shown as it is, links nowhere and notifies no one', (name) => {
  const link = 'https://data.example.com/my_app/settings/jobs?id=7'
  const more = { subject: `Scan failed: ${name}`, text: `Scan failed: ${name}\n\n- ${name}: gone\n\n${link}\n` }
  const slack = bodyOf('SLACK', null, more)
  expect(slack.blocks[0].elements[0].elements).toEqual([
    { type: 'text', text: more.subject, style: { bold: true } },
    { type: 'text', text: `\n${more.subject}\n\n- ${name}: gone\n` },
    { type: 'link', url: link },
  ])
  // The remaining markup in the text of notifications is ours.
  expect(slack.text).toMatch(/^\*[^*]+\*\n[^*]+$/)
  const names = slack.text.slice(1).replace(`\n<${link}>`, '').replace('*\n', '\n')
  expect(names).not.toMatch(/[<>]|[_~`@](?!\u200b)|\]\(|:\/\//)
  expect(names.replaceAll('\u200b', '').replaceAll('\u2217', '*')).toContain(
    name.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  )
  const discord = bodyOf('DISCORD', null, more)
  expect(discord.allowed_mentions).toEqual({ parse: [] })
  const [ours = '', ...lines] = discord.content.split('\n')
  expect(lines.pop()).toBe(link)
  const plain = [ours.replace(/^\*\*|\*\*$/g, ''), ...lines].join('\n')
  expect(plain.replaceAll(/\\./g, '')).not.toMatch(/[\\*_~`|<>#[\]()@]|:\/\//)
  expect(plain.replaceAll(/\\(.)/g, '$1')).toBe(`${more.subject}\n${more.subject}\n\n- ${name}: gone`)
  const teams = bodyOf('TEAMS', null, more)
  expect(runsOf(teams)).toEqual([more.subject, more.subject, ' ', `- ${name}: gone`])
  expect(teams.attachments[0].content.actions).toEqual([
    { type: 'Action.OpenUrl', title: 'Open in DataIntell', url: link },
  ])
})

test('a long message keeps its link', () => {
  const link = 'https://data.example.com/settings/jobs?id=7'
  const long = { text: `${'*'.repeat(20_000)}\n\n${link}` }
  const { content: discord } = bodyOf('DISCORD', null, long)
  expect([discord.length <= 2_000, discord.endsWith(`…\n${link}`)]).toEqual([true, true])
  expect(bodyOf('SLACK', null, long).blocks[0].elements[0].elements.at(-1)).toEqual({ type: 'link', url: link })
  expect(bodyOf('TEAMS', null, long).attachments[0].content.actions).toHaveLength(1)
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
