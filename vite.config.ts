import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { markdownPages } from './client/help/markdownPages.ts'
import { wallBrowsers } from './client/wall/old-browsers/browsers.ts'
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

const icons = '@tabler/icons-react'

/** Imports each icon from its own file. Their index names 6,000, and reading those takes much of the build. */
function singleIcons(): Plugin {
  const fileOf = (name: string) => `import ${name} from '${icons}/dist/esm/icons/${name}.mjs'`
  return {
    name: 'single-icons',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/client\/.*\.tsx?$/, code: icons },
      handler: (code) =>
        code.replace(new RegExp(`^import \\{([^}]*)\\} from '${icons}'`, 'gm'), (_, names: string) =>
          names
            .split(',')
            .map((name) => name.trim())
            .filter((name) => name.startsWith('Icon'))
            .map(fileOf)
            .join(';'),
        ),
    },
  }
}

/** CSS modules that belong to the layer `app`: all but those of walls, whose browsers don't know layers. */
const layered = /\/client\/(?!wall\/|ui\/DemoMark).*\.module\.css$/

/** Leaves out the JSON Schemas of zod, 5 kB of each first visit, with which only the server describes its calls. */
function withoutJsonSchema(): Plugin {
  return {
    name: 'without-json-schema',
    apply: 'build',
    transform: {
      filter: { id: /\/zod\/v4\/core\/(to-json-schema|json-schema-processors)\.js$/ },
      handler: (code) =>
        [...code.matchAll(/^export (?:const|function) (\w+)/gm)]
          .map(([, name]) => `export const ${name} = () => {}`)
          .join('\n'),
    },
  }
}

/** Preloads the text font. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) => {
        const font = Object.keys(bundle).find((file) => /inter-latin-wght-normal.*\.woff2$/.test(file))
        const attrs = { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: '' }
        return font ? [{ tag: 'link', attrs, injectTo: 'head' }] : []
      },
    },
  }
}

/** Minimum size in bytes of files that are smaller when compressed. */
const minCompressedBytes = 1_000

/** Writes a compressed copy next to each program, script and style: brotli, and gzip for browsers without TLS. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          const content = file.type === 'chunk' ? file.code : file.source
          if (!/\.(js|css|svg|wasm)$/.test(file.fileName) || content.length < minCompressedBytes) continue
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: brotliCompressSync(content) })
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gzipSync(content, { level: 9 }) })
        }
      },
    },
  }
}

/** Files that several screens need, in groups: each would be a request of its own otherwise, and compress badly. */
const sharedChunks: { name: string; files: string[]; minShareCount?: number }[] = [
  { name: 'icons', files: ['@tabler/'], minShareCount: 3 },
  { name: 'fields', files: ['@mantine/core/esm/components/(NativeSelect|TextInput)/', 'use-debounced'] },
  {
    name: 'common',
    files: [
      'client/ui/(table/(DataTable|RowActions)|onDemand|text/|form/(Dialog|Segments)[.]tsx)',
      'client/parts/(cost/CostCell|tags/(TagList|TagsDialog[.]|useMayTag)|previous-date/use|pagination/pageSizes)',
      'client/parts/storages/(bothSizes|notIncluded|useVolumes)',
      'events/folders/',
    ],
  },
  // Long lists with a selection and its actions.
  {
    name: 'lists',
    files: [
      'client/ui/(table/|Tabs)',
      'client/parts/(selection/|entry-text/|archived/|actions/(SelectionToolbar|ActionButton))',
    ],
  },
  {
    name: 'folders',
    files: [
      'client/parts/(folder-tree/|breadcrumb/Breadcrumb|entry-details/(EntryTags|useFull))',
      'client/file-management/(files[.]state|usePanel|DetailsLayout|Files[.]module)',
    ],
  },
]

const chunks = [
  // Everything that the first page always needs. Earlier groups come first.
  { name: 'first', tags: ['$initial' as const], priority: sharedChunks.length },
  ...sharedChunks.map(({ name, files, minShareCount = 2 }, place) => ({
    name,
    test: new RegExp(files.join('|')),
    minShareCount,
    priority: sharedChunks.length - 1 - place,
  })),
]

export default defineConfig({
  root: 'client',
  experimental: {
    // The product may be below a path: scripts and styles name files relative to themselves, and the server completes
    // the addresses in the page.
    renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `/${file}` : { relative: true }),
  },
  // Replaced by the server with the nonce of each response.
  html: { cspNonce: '__CSP_NONCE__' },
  plugins: [singleIcons(), withoutJsonSchema(), markdownPages(), react(), colourRoles(), preloadFont(), compressed()],
  css: {
    postcss: {
      plugins: [
        {
          postcssPlugin: 'app-layer',
          OnceExit(root, { AtRule }) {
            if (!layered.test(root.source?.input.file ?? '')) return
            const { nodes } = root
            root.removeAll()
            root.append(new AtRule({ name: 'layer', params: 'app', nodes }))
          },
        },
      ],
    },
  },
  build: {
    outDir: 'dist',
    // The content security policy forbids inline content, so no asset becomes a data URL.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // Both are built by one command, in this order.
  builder: {},
  environments: {
    client: {
      build: {
        emptyOutDir: true,
        target: 'es2023',
        // In kB, uncompressed. The largest chunk is the PDF renderer, which is loaded on demand.
        chunkSizeWarningLimit: 1_700,
        rolldownOptions: { output: { codeSplitting: { groups: chunks } } },
      },
    },
    // The wall display, for televisions and signage players. Their browsers are years old and never updated.
    wall: {
      consumer: 'client',
      build: {
        emptyOutDir: false,
        copyPublicDir: false,
        target: wallBrowsers,
        // Firefox 60 has no dynamic imports.
        rolldownOptions: { input: 'client/wall.html', output: { codeSplitting: false } },
      },
    },
  },
})
