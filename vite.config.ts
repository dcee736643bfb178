import { createHash } from 'node:crypto'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite'
import { rolesAsCss } from './client/ui/theme/roles.ts'

/** Emits the color roles as a style sheet, so that the page has its colors before any script runs. */
function colourRoles(): Plugin {
  const id = 'virtual:roles.css'
  return {
    name: 'colour-roles',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (asked) => (asked === `\0${id}` ? rolesAsCss() : undefined),
  }
}

/** Adds the build ID to the page, to be compared with that of the server's beat, and preloads the text font. */
function buildInPage(): Plugin {
  return {
    name: 'build-in-page',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) => {
        const files = Object.keys(bundle).sort()
        const build = createHash('sha256').update(files.join()).digest('hex').slice(0, 12)
        const font = files.find((file) => /inter-latin-wght-normal.*\.woff2$/.test(file))
        const tags: HtmlTagDescriptor[] = [{ tag: 'meta', attrs: { name: 'build', content: build }, injectTo: 'head' }]
        if (font) {
          const attrs = { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: '' }
          tags.push({ tag: 'link', attrs, injectTo: 'head' })
        }
        return tags
      },
    },
  }
}

/** Minimum size in bytes of files that are smaller when compressed. */
const minCompressedBytes = 1_000

/** Writes a compressed copy next to each script and style: brotli, and gzip for browsers without TLS. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          const content = file.type === 'chunk' ? file.code : file.source
          if (!/\.(js|css|svg)$/.test(file.fileName) || content.length < minCompressedBytes) continue
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: brotliCompressSync(content) })
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gzipSync(content, { level: 9 }) })
        }
      },
    },
  }
}

export default defineConfig({
  root: 'client',
  experimental: {
    // The product may be below a path: scripts and styles name files relative to themselves, and the server completes
    // the addresses in the page.
    renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `/${file}` : { relative: true }),
  },
  // Replaced by the server with the nonce of each response.
  html: { cspNonce: '__CSP_NONCE__' },
  plugins: [react(), colourRoles(), buildInPage(), compressed()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy forbids inline content, so no asset becomes a data URL.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // In kB, uncompressed. The largest chunk is the PDF renderer, which is loaded on demand.
    chunkSizeWarningLimit: 1_700,
    // One chunk for everything that the first page always needs. Twenty small ones would each cost a request with its headers.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
  },
})
