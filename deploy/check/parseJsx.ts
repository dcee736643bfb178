import { createRequire } from 'node:module'

/**
 * Loaded before dependency-cruiser, which parses every file as TypeScript without JSX and has no setting for it.
 * Enables JSX for `.tsx` files.
 */
type Swc = { parseFileSync: (file: string, options: object) => unknown }

const swc = createRequire(import.meta.url)('@swc/core') as Swc
const { parseFileSync } = swc
swc.parseFileSync = (file, options) => parseFileSync(file, { ...options, tsx: file.endsWith('.tsx') })
