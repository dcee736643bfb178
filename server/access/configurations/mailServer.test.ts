import { expect, test } from 'vitest'
import { ehloName } from './mailServer.ts'

test('the EHLO name is the setting, otherwise the host of the application URL if it is a full name', () => {
  expect(ehloName('mail.example.com', 'https://data.example.com')).toBe('mail.example.com')
  expect(ehloName('', 'https://data.example.com:8443/dataintell')).toBe('data.example.com')
  expect(ehloName('', 'http://192.0.2.7:8080')).toBe('[192.0.2.7]')
  for (const url of ['', 'http://localhost:8080', 'http://data:8080', 'http://127.0.0.1']) {
    expect(ehloName('', url)).toBeUndefined()
  }
})
