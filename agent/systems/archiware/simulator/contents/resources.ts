/** Plan of a server. Its jobs delete their sources if one of the two settings says so. */
export type Plan = {
  id: string
  name: string
  isEnabled: boolean
  index: string
  pool: string
  /** Volume that its jobs write to. */
  volume: string
  /** Files with the size and time of their latest generation are not archived again. */
  isIncremental: boolean
  deletesFiles: boolean
  deletesAll: boolean
}

/** Client of a server, a machine whose file systems it archives. */
export type Client = {
  name: string
  description: string
  hostname: string
  port: number
  isThin: boolean
  isOnline: boolean
  /**
   * Folders of this machine by the paths that the client has for them, such as {'/mnt/media': '/tmp/media'}. Without any, each path of
   * the client is a file of 1,000 bytes and also an existing directory, and nothing is written.
   */
  folders: Record<string, string> | undefined
  /** Called for each file and folder that a job deletes. */
  onDelete: ((path: string) => void) | undefined
}

/** Volume of a server. Sizes in kilobytes. */
export type Volume = {
  id: string
  label: string
  barcode: string | undefined
  isOnline: boolean
  location: string | undefined
  pool: string
  mode: 'Appendable' | 'Closed' | 'Readonly' | 'Recyclable' | 'Full'
  state: 'Ok' | 'Suspect' | 'OutOfSync'
  usage: 'Archive' | 'Backup' | 'Import'
  mediaType: 'TAPE' | 'DISK' | 'OPTICAL'
  totalKb: number
  usedKb: number
  useCount: number
  /** Seconds since 1970. */
  usedAt: number | undefined
}

export const newPlan = (id: string, values: Partial<Plan>): Plan => ({
  id,
  name: `Plan ${id}`,
  isEnabled: true,
  index: 'Default-Archive',
  pool: 'Archive',
  volume: '10101',
  isIncremental: false,
  deletesFiles: false,
  deletesAll: false,
  ...values,
})

export const newClient = (name: string, values: Partial<Client>): Client => ({
  name,
  description: '',
  hostname: '127.0.0.1',
  port: 8_001,
  isThin: false,
  isOnline: true,
  folders: undefined,
  onDelete: undefined,
  ...values,
})

export const newVolume = (id: string, values: Partial<Volume>): Volume => ({
  id,
  label: `Archive.${id}`,
  barcode: undefined,
  isOnline: true,
  location: undefined,
  pool: 'Archive',
  mode: 'Appendable',
  state: 'Ok',
  usage: 'Archive',
  mediaType: 'TAPE',
  totalKb: 11_718_750_000,
  usedKb: 1_171_875_000,
  useCount: 12,
  usedAt: undefined,
  ...values,
})
