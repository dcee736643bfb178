import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installPackage } from './installPackage.js'
import type { Tool } from './tool.ts'

const programs = ['soffice', '/Applications/LibreOffice.app/Contents/MacOS/soffice']

export const libreOffice: Tool = {
  name: 'LibreOffice',
  find: () => programs.find((program) => spawnSync(program, ['--version']).status === 0),
  install: () => installPackage('for the tests of workbooks (120 MB to download)', 'libreoffice-calc-nogui'),
  help: 'LibreOffice was not found: install the package libreoffice-calc-nogui, or put soffice on the PATH',
}

/** All sheets as UTF-8 text with formatted values, separated by commas, quoted where needed. */
const filter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,true,false,false,-1'

/** English groups digits by thousands; without a language LibreOffice does not. */
const env = { ...process.env, LC_ALL: 'en_US.UTF-8' }

/** Converts a workbook with LibreOffice and returns the CSV of each sheet by title. Throws with the errors of LibreOffice. */
export function sheetsInLibreOffice(program: string, workbook: Uint8Array): Map<string, Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'dataintell-office-'))
  try {
    writeFileSync(join(folder, 'book.xlsx'), workbook)
    const profile = `-env:UserInstallation=file://${folder}/profile`
    const args = [profile, '--headless', '--convert-to', filter, '--outdir', folder, join(folder, 'book.xlsx')]
    const { status, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 120_000, env })
    const sheets = readdirSync(folder).filter((name) => name.startsWith('book-') && name.endsWith('.csv'))
    if (status !== 0 || sheets.length === 0) throw new Error(`LibreOffice ended with ${status}: ${stderr}`)
    return new Map(sheets.map((name) => [name.slice('book-'.length, -'.csv'.length), ourCsv(join(folder, name))]))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Our CSV has a byte order mark and lines that end in CR LF. No cell of the tests contains a line break. */
const ourCsv = (path: string): Buffer =>
  Buffer.from(`\ufeff${readFileSync(path, 'utf8').replaceAll('\r\n', '\n').replaceAll('\n', '\r\n')}`)
