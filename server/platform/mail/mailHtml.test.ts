import { expect, test } from 'vitest'
import { mailHtml } from './mailHtml.ts'

const bodyOf = (text: string) =>
  mailHtml('Space', text)
    .replace(/ style="[^"]*"/g, '')
    .replace(/^.*<h1>Space<\/h1>|<\/div><\/body><\/html>$/g, '')

test('paragraphs, lists and a button for the link', () => {
  const text =
    '1 storage has reached 80 %:\n\n- Films: 92 % used\n- Music: 81 % used\n\nhttps://data.example.com/volumes/3?a=1&b=2\n'
  expect(bodyOf(text)).toBe(
    '<p>1 storage has reached 80 %:</p><ul><li>Films: 92 % used</li><li>Music: 81 % used</li></ul>' +
      '<p><a href="https://data.example.com/volumes/3?a=1&amp;b=2">Open in DataIntell</a></p>',
  )
})

test('lines of a paragraph stay lines, and a list after its title is a list', () => {
  expect(bodyOf('Started: now\nEnded: later\n\nFailed storages:\n- Films: gone')).toBe(
    '<p>Started: now<br>Ended: later</p><p>Failed storages:</p><ul><li>Films: gone</li></ul>',
  )
})

test('only the link that ends a mail is a button of the product', () => {
  expect(
    bodyOf('Reason:\n\nhttps://thief.example/login\n\nAttached: a.pdf.\nSee https://data.example.com/report/7\n'),
  ).toBe(
    '<p>Reason:</p><p>https://thief.example/login</p><p>Attached: a.pdf.</p>' +
      '<p><a href="https://data.example.com/report/7">Open in DataIntell</a></p>',
  )
})

test('names cannot contain markup', () => {
  expect(bodyOf('- <img src=x onerror=alert(1)>: "full"')).toBe(
    '<ul><li>&lt;img src=x onerror=alert(1)&gt;: &quot;full&quot;</li></ul>',
  )
  expect(bodyOf('See https://a.example/"><script>')).not.toContain('<script>')
})

test('the subject is the heading, once', () => {
  const html = mailHtml('Scan failed: Films & more', 'Scan failed: Films & more\nScan On-Premises, job 7\n')
  expect(html).toContain('>DataIntell</p>')
  expect(html).toMatch(/<h1 [^>]*>Scan failed: Films &amp; more<\/h1><p [^>]*>Scan On-Premises, job 7<\/p>/)
  expect(html.match(/Scan failed/g)).toHaveLength(1)
})
