import { ask as askHost, forTest, start, stoppedClock } from '#agent/simulator/testing.ts'
import { type StorNextOptions, type StorNextSimulator, startStorNext } from './index.ts'

/** Starts a simulator for one test. Only the test moves its clock. */
export const simulator = (options: StorNextOptions = {}): Promise<StorNextSimulator> =>
  forTest(startStorNext({ clock: stoppedClock, ...options }))

type Parameters = Record<string, string | string[]>
type Options = { method?: string; base?: string | undefined; headers?: Record<string, string>; body?: string }

/** Answer to a call such as `file/fsstore`. */
export function ask(stornext: StorNextSimulator, call: string, parameters: Parameters = {}, options: Options = {}) {
  const { method = 'GET', base = stornext.url, headers = {}, body } = options
  const all = { format: 'json', username: 'dataintell', password: 'planted-password', ...parameters }
  const query = new URLSearchParams(
    Object.entries(all).flatMap(([name, value]) => [value].flat().map((each): [string, string] => [name, each])),
  )
  if (method === 'GET') return askHost(`GET ${base}/${call}?${query}`, { headers, body })
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const form = body ?? (method === 'POST' ? query.toString() : undefined)
  return askHost(`${method} ${base}/${call}`, {
    headers: { ...(method === 'POST' ? type : {}), ...headers },
    body: form,
  })
}

/** Moves the clock until an answer arrives, at most a week. */
export async function finished<T>(stornext: StorNextSimulator, answer: Promise<T>): Promise<T> {
  let isOpen = true
  const done = answer.finally(() => (isOpen = false))
  done.catch(() => {})
  for (let i = 0; isOpen && i < 2_000; i++) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    stornext.clock.advance(300_000)
  }
  return done
}

/** Answer to a call that takes simulated time. */
export const askAndWait = (stornext: StorNextSimulator, call: string, parameters: Parameters = {}) =>
  finished(stornext, ask(stornext, call, parameters))

/** The status of the whole command. */
export const resultOf = ({ body }: { body: { statuses: { commandStatus: string; statusNumber: number }[] } }) =>
  body.statuses.at(-1)

export const root = '/stornext/snfs1/proj'

/** A simulator with the files a, b and c of 300 MB in `root`. */
export async function withFiles(options: StorNextOptions = {}) {
  const stornext = await simulator(options)
  for (const name of ['a', 'b', 'c']) stornext.addFile(`${root}/${name}`, { size: 300e6, modifiedAt: start })
  return stornext
}

/** Description of one file by `fsfileinfo`. */
export const infoOf = async (stornext: StorNextSimulator, path: string, parameters: Parameters = {}) =>
  (await ask(stornext, 'file/fsfileinfo', { file: path, ...parameters })).body.fileInfos[0]
