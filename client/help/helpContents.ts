/** Table of contents: groups of pages by file name. */
export const helpContents = [
  {
    title: 'Get started',
    pages: ['add-a-storage', 'schedule-scans', 'live-storages', 'add-an-agent', 'read-the-dashboard', 'keyboard'],
  },
  {
    title: 'Find and understand',
    pages: [
      'find-large-and-old-files',
      'search-media',
      'find-duplicates',
      'see-what-changed',
      'what-sizes-mean',
      'import-history',
    ],
  },
  { title: 'Act and report', pages: ['projects-and-statements', 'reports', 'alerts-and-mail', 'archive-and-restore'] },
  { title: 'Policies', pages: ['policies', 'try-a-policy-on-the-past', 'quarantine', 'ask-owners'] },
  {
    title: 'Administer',
    pages: [
      'settings',
      'users-roles-and-tokens',
      'wall-display',
      'event-log',
      'send-the-event-log',
      'backup-and-restore',
      'when-a-scan-fails',
    ],
  },
  { title: 'Automate', pages: ['command-line', 'use-the-api', 'use-with-an-assistant', 'metrics'] },
] as const satisfies readonly { title: string; pages: readonly string[] }[]

type HelpPageName = (typeof helpContents)[number]['pages'][number]

/** Page for a screen by the start of its path. */
const pageOfScreen: Record<string, HelpPageName> = {
  '/': 'read-the-dashboard',
  '/search': 'find-large-and-old-files',
  '/filemanagement': 'find-large-and-old-files',
  '/map': 'find-large-and-old-files',
  '/folders': 'see-what-changed',
  '/comparison': 'see-what-changed',
  '/storages': 'add-a-storage',
  '/volumes': 'what-sizes-mean',
  '/projects': 'projects-and-statements',
  '/project': 'projects-and-statements',
  '/reports': 'reports',
  '/report': 'reports',
  '/policies': 'policies',
  '/policy': 'policies',
  '/settings': 'settings',
  '/settings/data': 'add-a-storage',
  '/settings/mail': 'alerts-and-mail',
  '/settings/users': 'users-roles-and-tokens',
  '/settings/tokens': 'users-roles-and-tokens',
  '/settings/walls': 'wall-display',
  '/settings/schedules': 'schedule-scans',
  '/settings/jobs': 'when-a-scan-fails',
  '/alerts': 'alerts-and-mail',
  '/profile': 'alerts-and-mail',
  '/event-log': 'event-log',
}

/** Page for a screen, by the longest known start of its path; undefined for screens without one. */
export function helpOfScreen(path: string): HelpPageName | undefined {
  const starts = Object.keys(pageOfScreen).filter((start) => path === start || path.startsWith(`${start}/`))
  return pageOfScreen[starts.toSorted((one, other) => other.length - one.length)[0] ?? '']
}
