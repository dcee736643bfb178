/** Port in the options of a mount; undefined for the default one. */
export const portIn = (options: string | null | undefined): string | undefined =>
  /(?:^|,)\s*port\s*=\s*(\d+)\s*(?:,|$)/.exec(options ?? '')?.[1]

/** The host that a share's password is sent to, with the port of its options. */
export function hostOf({ host, options }: { host: string; options: string | null | undefined }): string {
  const port = portIn(options)
  return port === undefined ? host : `${host}:${port}`
}
