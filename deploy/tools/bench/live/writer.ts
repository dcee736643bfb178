import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/* Writes, replaces, renames and deletes files at a rate, as a process of its own, and sends the changes a second. */

const [, , tree = '', given = '{}'] = process.argv
const { rate, seconds, folders } = JSON.parse(given) as { rate: number; seconds: number; folders: number }
const started = performance.now()
let changes = 0

function change(): void {
  // Most writers stay in a few folders for some time.
  const n = (Math.floor(changes / 500) * 17 + (changes % 5)) % folders
  const folder = join(tree, `${n % 100}`, `${n}`)
  mkdirSync(folder, { recursive: true })
  const [file, kind] = [join(folder, `new-${changes % 300}`), changes % 10]
  if (kind < 7) writeFileSync(file, Buffer.alloc(changes % 5_000))
  else if (kind < 8) rmSync(file, { force: true })
  else {
    writeFileSync(`${file}.part`, 'part')
    renameSync(`${file}.part`, file)
  }
  changes++
}

const timer = setInterval(() => {
  const elapsed = (performance.now() - started) / 1_000
  while (changes < Math.min(elapsed, seconds) * rate && performance.now() - started < (elapsed + 1) * 1_000) change()
  if (elapsed < seconds) return
  clearInterval(timer)
  process.send?.(changes / ((performance.now() - started) / 1_000), () => process.exit())
}, 10)
