import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installPackage } from '../installPackage.ts'

/** The machine's LibreOffice; as root on Debian it is installed when there is none. Undefined where there is none to be had. */
export function findLibreOffice(): string | undefined {
  const find = () => spawnSync('which', ['soffice'], { encoding: 'utf8' }).stdout?.trim() || undefined
  const found = find()
  if (found !== undefined) return found
  installPackage('libreoffice-calc-nogui')
  return find()
}

/** All sheets as UTF-8 text, as they are shown: comma, quotes where they are needed. */
const filter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,true,false,false,-1'

/** Numbers are grouped as they are in English; without a language they are not. */
const env = { ...process.env, LC_ALL: 'en_US.UTF-8' }

/** A workbook as LibreOffice opens it: the CSV of each sheet by its title, in our form of CSV. Throws with what it complained of. */
export function sheetsInLibreOffice(program: string, workbook: Uint8Array): Map<string, Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'dataintell-office-'))
  try {
    writeFileSync(join(folder, 'book.xlsx'), workbook)
    const profile = `-env:UserInstallation=file://${folder}/profile`
    const words = [profile, '--headless', '--convert-to', filter, '--outdir', folder, join(folder, 'book.xlsx')]
    const { status, stderr } = spawnSync(program, words, { encoding: 'utf8', timeout: 120_000, env })
    const sheets = readdirSync(folder).filter((name) => name.startsWith('book-') && name.endsWith('.csv'))
    if (status !== 0 || sheets.length === 0) throw new Error(`LibreOffice ended with ${status}: ${stderr}`)
    return new Map(sheets.map((name) => [name.slice('book-'.length, -'.csv'.length), ourCsv(join(folder, name))]))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** With a byte order mark and lines that end in CR LF; no cell of a test holds a line break. */
const ourCsv = (path: string): Buffer =>
  Buffer.from(`\ufeff${readFileSync(path, 'utf8').replaceAll('\r\n', '\n').replaceAll('\n', '\r\n')}`)
