/** A picture of README, by the address of its screen. */
export type Picture = { name: string; path: string; scheme?: 'light' | 'dark' }

const wallPath = (board: string, token: string, scheme: string) =>
  `/wall?boards=${board}&scheme=${scheme}&token=${token}`

export const pictures = (wall: string): Picture[] => [
  { name: 'dashboard', path: '/' },
  { name: 'search', path: '/search?search=&minimumSize=1&minimumSizeUnit=GB' },
  { name: 'map', path: '/map?volumeId=1&path=/' },
  { name: 'report', path: '/report/2' },
  { name: 'comparison', path: '/comparison' },
  { name: 'dark', path: '/project/3', scheme: 'dark' },
  // Last, because a wall signs the browser out.
  { name: 'wall', path: wallPath('capacity', wall, 'dark') },
]

/** Every screen of the product, with something to show. */
export const screens = (wall: string): Picture[] => [
  { name: 'dashboard', path: '/' },
  { name: 'search', path: '/search' },
  { name: 'search-filtered', path: '/search?search=comp&minimumSize=1&minimumSizeUnit=MB' },
  { name: 'search-duplicates', path: '/search?onlyDuplicates=true' },
  { name: 'files', path: '/filemanagement?volumeId=1&path=/' },
  { name: 'map', path: '/map?volumeId=1&path=/' },
  { name: 'folder', path: '/folders?volumeId=1&path=/harbor_lights' },
  { name: 'comparison', path: '/comparison' },
  { name: 'storage', path: '/volumes/2' },
  { name: 'storage-failed', path: '/volumes/5' },
  { name: 'projects', path: '/projects' },
  { name: 'project', path: '/project/3' },
  { name: 'project-new', path: '/projects/new' },
  { name: 'project-edit', path: '/project/edit/3' },
  { name: 'reports', path: '/reports' },
  { name: 'report', path: '/report/1' },
  { name: 'settings', path: '/settings' },
  { name: 'settings-data', path: '/settings/data' },
  { name: 'settings-storage', path: '/settings/storage' },
  { name: 'jobs', path: '/settings/jobs' },
  { name: 'schedules', path: '/settings/schedules' },
  { name: 'alerts', path: '/alerts' },
  { name: 'profile', path: '/profile' },
  { name: 'event-log', path: '/event-log' },
  { name: 'help', path: '/help' },
  ...['capacity', 'jobs', 'growth', 'map', 'agents'].map((board) => ({
    name: `wall-${board}`,
    path: `/wall?boards=${board}&token=${wall}`,
  })),
]
