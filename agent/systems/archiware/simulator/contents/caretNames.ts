const codes: Record<string, string> = { ':': '^2f', '\\': '^5c', '^': '^5e' }
/** Name as inventories show it. A colon is shown as a slash, whose code is 2f. */
export const caretName = (name: string): string => name.replace(/[:\\^]/g, (character) => codes[character] as string)

/** Name as the file system has it. Any byte of a name may be a code. */
export const realName = (name: string): string =>
  name.replace(/(\^[0-9a-f]{2})+/g, (codes) =>
    Buffer.from(codes.replaceAll('^', ''), 'hex').toString().replaceAll('/', ':'),
  )
