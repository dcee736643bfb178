import { createHash } from 'node:crypto'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite'
import { rolesAsCss } from './client/ui/theme/roles.ts'

/** The roles of the colours as a style sheet, so that the page has its colours before any script ran. */
function colourRoles(): Plugin {
  const id = 'virtual:roles.css'
  return {
    name: 'colour-roles',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (asked) => (asked === `\0${id}` ? rolesAsCss() : undefined),
  }
}

/** Names the build in the page, to be compared with the one that the server's beat names; preloads the text font. */
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

/** Below so many bytes a file is not smaller when it travels compressed. */
const worthCompressing = 1_000

/** Puts each script and style beside itself as it travels: brotli, and gzip for those who come without TLS. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          const content = file.type === 'chunk' ? file.code : file.source
          if (!/\.(js|css|svg)$/.test(file.fileName) || content.length < worthCompressing) continue
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: brotliCompressSync(content) })
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gzipSync(content, { level: 9 }) })
        }
      },
    },
  }
}

export default defineConfig({
  root: 'client',
  // The server puts the nonce of each answer in its place.
  html: { cspNonce: '__CSP_NONCE__' },
  plugins: [react(), colourRoles(), buildInPage(), compressed()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy allows nothing inline, so no asset becomes a data address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // In kB, uncompressed. The largest chunk is the renderer of PDF files, loaded when one is made.
    chunkSizeWarningLimit: 1_300,
    // What the first page needs in any case comes in one piece: twenty of a few bytes each cost a request with its headers each.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
  },
})
