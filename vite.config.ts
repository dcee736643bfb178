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

const mantine = '@mantine/core/esm/components/'
const drawing = [
  'node_modules/(recharts|d3-(?!hierarchy)|victory|decimal|immer|redux|reselect|react-redux|use-sync|@reduxjs|es-toolkit|react-is)',
  '@mantine/charts',
  'client/ui/charts/drawn/(?!Drawn[A-Z])',
]

/**
 * Files that several screens need, in groups: each would be a request of its own otherwise, and compress badly. A group also
 * takes what its files import, so the groups that others need come first.
 */
const sharedChunks: { name: string; files: string[]; minShareCount?: number }[] = [
  { name: 'accounts', files: ['events/(users/(accounts|secondFactor|singleSignOn)|notifications/addresses)'] },
  {
    name: 'common',
    files: [
      '@tabler/',
      'client/(?!wall/).*[.]module[.]css',
      `${mantine}(NativeSelect|TextInput|VisuallyHidden)/`,
      'use-(debounced|resize-observer|media-query)',
      'color-scheme',
      '/(noop|get-env)/',
      'client/ui/(onDemand|text/|form/(Dialog|Segments)[.]|values/CopyableText)',
      'client/parts/(cost/Cost|previous-date/use)',
      'client/parts/(storages/(bothSizes|notIncluded|use(Detailed)?Volume|ScanNow|StorageMarks|LiveBadge|liveWords)|job-words/foundText)',
      'client/ui/charts/ChangeBar',
      'client/app/(form|defineForm)',
      'client/projects/costs',
      'events/(folders/|search/patterns)',
    ],
  },
  {
    name: 'figures',
    files: [
      'client/ui/charts/(?!drawn|pdf|ChangeBar)',
      'client/parts/((statistics|distribution)/(?!.*Paper)|pdf-preview/)',
    ],
  },
  { name: 'charts', files: drawing },
  {
    name: 'overlays',
    files: [
      `${mantine}(Popover|FocusTrap|Portal|Accordion)/`,
      '@floating-ui',
      '@mantine/core/esm/core/',
      '@mantine/hooks/',
    ],
  },
  { name: 'menus', files: [`${mantine}(Menu|Radio/RadioIcon)`] },
  { name: 'dates', files: ['@mantine/dates', 'client/(ui/form/DayInput|parts/(search-day/|time-window/timeWindow))'] },
  { name: 'modal', files: [`${mantine}Modal/`, 'client/ui/form/DrawnDialog'], minShareCount: 1 },
  {
    name: 'lists',
    files: [
      'client/ui/(table/|Tabs)',
      'client/parts/(selection/|entry-text/|archived/|pagination/|actions/(SelectionToolbar|ActionButton))',
      'client/parts/tags/(TagList|TagsDialog[.]|useMayTag)',
      '(client/parts/media/mediaWords|events/(media/found|reports/calls))',
    ],
  },
  {
    name: 'folders',
    files: [
      'client/parts/(folder-tree/|breadcrumb/Breadcrumb|entry-details/(EntryTags|useFull))',
      'client/file-management/(files[.]state|usePanel|DetailsLayout|Files[.]module)',
    ],
  },
  {
    name: 'work',
    files: [
      'client/(parts/(job-words/job(Status|Share)|report-check/|followed-job/)|app/live/useTopic)',
      'client/reports/(RunState|actions|report[A-Z])',
      'events/policies/',
    ],
  },
  {
    name: 'forms',
    files: [
      `${mantine}PasswordInput`,
      '@mantine/form|fast-deep-equal',
      'client/app/(useSaved|useBack|saveFile)',
      'client/(ui/(form/(CodeInput|focus)|useCapsLock|feedback/Warning)|parts/addresses/NoMailServer)',
    ],
  },
  {
    name: 'dialogs',
    files: [
      'client/ui/form/(Confirm|DialogForm|FormDialog|IgnoreLink|useEscape|typedSize)',
      'client/ui/values/Facts',
      'client/parts/(addresses|deletion|settings-table/form[.]|cron/([Ww]ords|CronWords)|webhook/webhookValues)',
      `${mantine}(Textarea|Text)/`,
    ],
    minShareCount: 4,
  },
  {
    name: 'settings',
    files: [
      mantine,
      'client/ui/form/(?!ChoiceCard|Wizard|ReviewList|composition)',
      'client/parts/(settings-table|cron|alerts|webhook)/',
      'client/app/useOpenedForm',
    ],
    minShareCount: 3,
  },
  {
    name: 'sources',
    files: ['client/parts/(settings|scan-dialog)/', 'client/ui/form/(Wizard|ReviewList)', 'events/sources/'],
  },
  {
    name: 'administration',
    files: [
      'client/settings/(SectionList|agents/|system/|sources/use|[^/]*$)',
      'client/parts/deletion/ConfirmedButton',
      'events/configurations',
    ],
  },
  {
    name: 'systems',
    files: ['client/settings/(sources|actions)/', 'client/parts/folder-picker/', 'client/ui/form/ChoiceCard'],
    minShareCount: 1,
  },
  { name: 'wizard', files: ['client/parts/actions/wizard/'] },
  { name: 'wizards', files: ['client/parts/actions/(archiware|transfers|iconik)/'] },
  {
    name: 'results',
    files: [
      'client/search/(?!analytics/|advanced/(?!criteriaOf|narrowed)|saved/(?!savedQuery))',
      'client/parts/(contents|searched)/',
      'events/search/(exports|terms)',
    ],
  },
  { name: 'timeline', files: ['client/parts/(time-window|volume-analytics)/', 'client/volumes/(?!report/)'] },
  { name: 'profile', files: ['client/parts/(roles|sessions|second-factor|password|alerts)/'] },
  {
    name: 'cards',
    files: ['client/dashboard/(?!setup/|ReportChecks|StorageChoice|scans/Unreadable)'],
    minShareCount: 1,
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
