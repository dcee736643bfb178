import { inheritedOptions, type ShortForm } from './context.ts'
import { type CallCommand, globalOptions, type Option, optionLines } from './options.ts'

export const mainHelp = (forms: readonly ShortForm[]): string =>
  `Usage: dataintell COMMAND [WORDS] [OPTIONS]

Commands:
${forms.map(({ name, summary }) => `  ${name.padEnd(12)}${summary}`).join('\n')}
${sections(['Options of all commands', globalOptions])}
Start with "dataintell login ADDRESS". Scripts set DATAINTELL_SERVER, and DATAINTELL_TOKEN_FILE or DATAINTELL_TOKEN.
A path is a full one, as /mnt/films/a, or within a storage, as films:/a.
Exits with 0: done, 1: failed, 2: wrong usage, 3: not allowed, 4: not found, 5: the job or a part of it failed.
`

export const formHelp = (form: ShortForm, calls: readonly CallCommand[]): string =>
  `Usage: ${['dataintell', form.name, form.words, '[OPTIONS]'].filter(Boolean).join(' ')}

${form.summary}

Examples:
${form.examples.map((example) => `  dataintell ${example}`).join('\n')}
${sections(['Options', form.options], ['Filters', inheritedOptions(calls, form.inherits)], ['Options of all commands', globalOptions])}`

/** Titles with the lines of their options, without those that have none. */
export const sections = (...parts: [title: string, options: readonly Option[]][]): string =>
  parts
    .filter(([, options]) => options.length > 0)
    .map(([title, options]) => `\n${title}:\n${optionLines(options).join('\n')}\n`)
    .join('')
