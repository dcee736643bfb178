import { expect, test } from 'vitest'
import { browserText } from './browserText.ts'

test('a browser is identified by its name and its system', () => {
  const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'
  expect(browserText(chrome)).toBe('Chrome on Windows')
  expect(browserText(`${chrome} Edg/140.0.0.0`)).toBe('Edge on Windows')
  expect(browserText('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1')).toBe(
    'Safari on iOS',
  )
  expect(browserText('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe('Firefox on Linux')
})

test('a script is named as such, with its language or tool', () => {
  expect(
    ['node', 'undici', 'python-requests/2.32', 'Python-urllib/3.13', 'Go-http-client/2.0'].map(browserText),
  ).toEqual(['Script (Node.js)', 'Script (Node.js)', 'Script (Python)', 'Script (Python)', 'Script (Go)'])
  expect(browserText('curl/8.1')).toBe('Script (curl)')
  const powerShell = 'Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.19041'
  expect(browserText(powerShell)).toBe('Script (PowerShell)')
})

test('an unknown browser is a browser, and silence is unknown', () => {
  expect(browserText('Mozilla/5.0 (X11; Linux x86_64) Kiosk/1')).toBe('Browser on Linux')
  expect(browserText(null)).toBe('Unknown')
})
