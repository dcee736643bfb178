type Way = 'grown' | 'shrunk' | 'same'

/** Which way a size went. */
export const wayOf = (bytes: number): Way => (bytes > 0 ? 'grown' : bytes < 0 ? 'shrunk' : 'same')

const signs = { grown: '+', shrunk: '−', same: '' } satisfies Record<Way, string>
export const signOf = (change: number): string => signs[wayOf(change)]
