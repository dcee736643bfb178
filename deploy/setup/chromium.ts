import { type Browser, launch } from 'puppeteer'
import { installPackage } from './installPackage.js'
import { findOrInstall, findProgram, type Tool } from './tool.ts'

const programs = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chromium-headless-shell',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Prevents downloads and first-run pages. */
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run']

/** The machine's Chromium or Chrome; Debian's headless shell is enough for the tests, and is smaller. */
export const chromium: Tool = {
  name: 'Chromium',
  find: findChromium,
  install: () => installPackage('for the browser tests (160 MB to download)', 'chromium-headless-shell'),
  help: 'Chromium was not found: install the package chromium, or set CHROMIUM to the path of its program',
}

/** Starts Chromium, installing it first if it is missing. Throws if it can't be installed. */
export function startChromium(args: readonly string[] = []): Promise<Browser> {
  // Chromium's sandbox doesn't work for root.
  const rights = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return launch({ executablePath: findOrInstall(chromium), args: [...quiet, ...rights, ...args] })
}

function findChromium(): string | undefined {
  const chosen = process.env['CHROMIUM']
  return [...(chosen ? [chosen] : []), ...programs].map(findProgram).find((path) => path !== undefined)
}
