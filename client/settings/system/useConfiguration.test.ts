import { expect, test } from 'vitest'
import { configurationKeys, configurationNames } from '#events/configurations.ts'
import { type Values, changesOf, problemOf } from './useConfiguration.ts'

const usual = Object.fromEntries(
  configurationNames.map((name) => [name, configurationKeys[name].defaultValue]),
) as Values
const problem = (name: keyof Values, value: string, others: Partial<Values> = {}) =>
  problemOf(name, { ...usual, ...others, [name]: value })

test('only what differs from what is kept goes out', () => {
  const edits = { jobRetention: '31', jobQueuedLength: '100' }
  expect(changesOf(usual, edits, ['jobRetention', 'jobQueuedLength', 'app.url'])).toEqual([
    { name: 'jobRetention', value: '31' },
  ])
  expect(changesOf(usual, edits, ['app.url'])).toEqual([])
})

test('values are refused in the words of the specification', () => {
  expect(problem('spring.mail.host', ' ')).toBe("Hostname can't be empty")
  expect(problem('spring.mail.from', 'nobody')).toBe('From must be a well-formed email address')
  expect(problem('spring.mail.port', '25a')).toBe('Value must be a positive number')
  expect(problem('jobRetention', '0')).toBe('Value must be a positive number')
  expect(['', 'http://'].map((url) => problem('app.url', url))).toEqual(["URL can't be empty", "URL can't be empty"])
  expect([problem('spring.mail.from', ''), problem('jobQueuedLength', '0')]).toEqual([undefined, undefined])
})

test('a user name is needed where the mail server asks for one', () => {
  expect(problem('spring.mail.username', '')).toBe("Username can't be empty")
  const withoutSignIn = { 'spring.mail.properties.mail.smtp.auth': 'false' }
  expect(problem('spring.mail.username', '', withoutSignIn)).toBeUndefined()
})
