import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { vi } from 'vitest'

/** Answers requests for font files from the installed packages, as the server does from the built client. */
export function serveFontFiles(): void {
  vi.stubGlobal('fetch', async (address: string) => {
    const name = basename(address)
    const [, fonts = ''] = /^(inter|noto-sans-\w+)-/.exec(name) ?? []
    return new Response(readFileSync(join('node_modules/@fontsource-variable', fonts, 'files', name)))
  })
}
