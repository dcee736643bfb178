/** A picture of a screen, by its address. `steps` open a dialog or a step of a wizard. */
export type Picture = { name: string; path: string; scheme?: 'light' | 'dark'; steps?: readonly Step[] }

/** A press of an element by its selector (its role and name as `button:Name`), or of a key. */
export type Step = string | { key: 'Enter' | 'ArrowDown' | '?' }

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

const dialog = (name: string, path: string, ...steps: Step[]): Picture => ({ name, path, steps })

const dashboardAndShell: Picture[] = [
  { name: 'dashboard', path: '/' },
  dialog('palette', '/', 'button:Commands'),
  dialog('snapshot-picker', '/', '[aria-label^="Snapshot "]'),
  dialog('user-menu', '/', '[aria-label$=": account and display"]'),
  dialog('keys', '/help', 'button:Keyboard shortcuts'),
  { name: 'not-found', path: '/no-such-page' },
]

const searchAndFiles: Picture[] = [
  { name: 'search', path: '/search' },
  { name: 'search-filtered', path: '/search?search=comp&minimumSize=1&minimumSizeUnit=MB' },
  dialog('search-filters', '/search?search=comp', 'button:More'),
  { name: 'search-folders', path: '/search?activeTab=1' },
  { name: 'search-analytics', path: '/search?activeTab=2' },
  dialog('search-advanced', '/search?search=comp&minimumSize=1&minimumSizeUnit=GB', 'button:Advanced'),
  { name: 'search-duplicates', path: '/search?onlyDuplicates=true' },
  { name: 'search-duplicate-folders', path: '/search?onlyDuplicates=true&activeTab=3' },
  { name: 'search-nothing', path: '/search?search=nothing-is-called-this' },
  dialog('search-saved', '/search?search=comp', 'button:Saved searches'),
  dialog('entry-details', '/search', 'main tbody tr', { key: 'Enter' }),
  ...['Archive', 'Restore', 'Transfer', 'Storage Manager'].map((action) =>
    dialog(`wizard-${action}`, '/search?volumeId=8', 'main tbody input', `button:${action}`),
  ),
  { name: 'storages', path: '/filemanagement' },
  { name: 'files', path: '/filemanagement?volumeId=1&path=/' },
  { name: 'files-lists', path: '/filemanagement?volumeId=1&path=/harbor_lights&mode=lists' },
  { name: 'map', path: '/map?volumeId=1&path=/' },
  { name: 'map-of-all', path: '/map' },
  { name: 'folder', path: '/folders?volumeId=1&path=/harbor_lights' },
  { name: 'comparison', path: '/comparison' },
  { name: 'storage', path: '/volumes/2' },
  { name: 'storage-failed', path: '/volumes/5' },
]

const projectsAndReports: Picture[] = [
  { name: 'projects', path: '/projects' },
  { name: 'project', path: '/project/3' },
  { name: 'project-timeline', path: '/project/3?tab=timeline' },
  { name: 'project-statements', path: '/project/3?tab=statements' },
  { name: 'project-new', path: '/projects/new' },
  { name: 'project-edit', path: '/project/edit/3' },
  { name: 'reports', path: '/reports' },
  { name: 'report', path: '/report/1' },
  { name: 'report-wizard', path: '/reports?wizard=new' },
]

const settings: Picture[] = [
  { name: 'settings', path: '/settings' },
  { name: 'settings-mail', path: '/settings/mail' },
  { name: 'settings-users', path: '/settings/users' },
  dialog('user-form', '/settings/users', 'button:Add user'),
  { name: 'settings-tokens', path: '/settings/tokens' },
  dialog('token-form', '/settings/tokens', 'button:Add API token'),
  { name: 'settings-walls', path: '/settings/walls' },
  dialog('wall-form', '/settings/walls', 'button:Add wall display'),
  { name: 'settings-data', path: '/settings/data' },
  { name: 'storages', path: '/storages' },
  { name: 'storage-settings', path: '/storages/settings' },
  { name: 'storage-types', path: '/storages?add=storage' },
  { name: 'storage-edit', path: '/storages?edit=2' },
  dialog('storage-wizard', '/storages/settings', 'button:Add file storage'),
  dialog('bucket-wizard', '/storages/settings', 'button:Add object storage'),
  dialog('scan-dialog', '/storages', 'button:Scan All'),
  dialog('price-book-form', '/settings/data', 'button:Add new price book'),
  dialog('agent-form', '/settings/data', 'button:Add new agent'),
  { name: 'jobs', path: '/settings/jobs' },
  dialog('job-dialog', '/settings/jobs', 'main tbody tr:nth-child(2)'),
  { name: 'schedules', path: '/settings/schedules' },
  { name: 'schedule-form', path: '/settings/schedules?add=schedule' },
]

const people: Picture[] = [
  { name: 'alerts', path: '/alerts' },
  { name: 'alert-rules', path: '/alerts?tab=rules' },
  { name: 'alert-channels', path: '/alerts?tab=channels' },
  dialog('channel-form', '/alerts?tab=channels', 'button:Add channel'),
  dialog('alert-mute', '/alerts', 'main tbody button'),
  dialog('alert-history', '/alerts', 'main tbody tr'),
  { name: 'alert-form', path: '/alerts?add=alert' },
  { name: 'profile', path: '/profile' },
  dialog('notification-form', '/profile', 'button:Add job notification'),
  { name: 'event-log', path: '/event-log' },
  { name: 'event-log-browse', path: '/event-log?mode=browse' },
  dialog('event-details', '/event-log?mode=browse', 'main tbody tr'),
  dialog('event-log-replay', '/event-log?mode=replay', 'main ul button'),
  { name: 'help', path: '/help' },
  { name: 'help-page', path: '/help/find-duplicates' },
  { name: 'api-reference', path: '/api/docs' },
]

/** Every screen and dialog of the product, with something to show. Walls are last, because they sign the browser out. */
export const screens = (wall: string): Picture[] => [
  ...dashboardAndShell,
  ...searchAndFiles,
  ...projectsAndReports,
  ...settings,
  ...people,
  ...['capacity', 'jobs', 'growth', 'map', 'agents'].map((board) => ({
    name: `wall-${board}`,
    path: `/wall?boards=${board}&token=${wall}`,
  })),
  { name: 'wall-revoked', path: '/wall?token=revoked' },
  { name: 'sign-in', path: '/' },
]
