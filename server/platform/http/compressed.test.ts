import express from 'express'
import request from 'supertest'
import { expect, test } from 'vitest'
import { compressed } from './compressed.ts'

const long = 'x'.repeat(5_000)
const app = express()
app.use(compressed)
app.get('/json', (_, res) => void res.json({ long }))
app.get('/short', (_, res) => void res.json({ short: 'x' }))
app.get('/text', (_, res) => void res.type('text').send(long))
app.get('/download', (_, res) => {
  res.attachment('found.json')
  res.write(JSON.stringify({ long }))
  res.end()
})

const get = async (path: string, accepted = 'gzip') => {
  const { headers } = await request(app).get(path).set('Accept-Encoding', accepted)
  return { encoding: headers['content-encoding'], vary: headers['vary'], length: headers['content-length'] }
}

test('long JSON is compressed for callers that accept it, without the length of the original', async () => {
  expect(await get('/json')).toEqual({ encoding: 'gzip', vary: 'Accept-Encoding', length: undefined })
  expect((await get('/json', 'identity')).encoding).toBeUndefined()
})

test('short answers, other types and downloads are sent as they are', async () => {
  for (const path of ['/short', '/text', '/download']) expect((await get(path)).encoding).toBeUndefined()
})
