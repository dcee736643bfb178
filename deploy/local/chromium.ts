import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, launch } from 'puppeteer'
import { installPackage } from './installPackage.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const installed = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** It fetches nothing of its own accord. */
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run']

/** Starts the machine's Chromium; as root on Debian it is installed when there is none. Throws when none is found. */
export function startChromium(words: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium() ?? installChromium()
  // Its sandbox does not work for root.
  const rights = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return launch({ executablePath, args: [...quiet, ...rights, ...words] })
}

function findChromium(): string | undefined {
  const onPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
  return [process.env['CHROMIUM'] ?? '', ...onPath, ...installed].find(isProgram)
}

function installChromium(): string {
  installPackage('chromium')
  const found = findChromium()
  if (!found) throw new Error('No Chromium was found: install the package chromium, or name its program in CHROMIUM')
  return found
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return path !== ''
  } catch {
    return false
  }
}
