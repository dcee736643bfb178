import type { MantineColorScheme } from '@mantine/core'
import type { SizeBase } from '#client/ui/text/size.ts'

type Choices<T> = { value: T; words: string }[]

/** Display options of this browser. */
export const schemes: Choices<MantineColorScheme> = [
  { value: 'light', words: 'Light' },
  { value: 'dark', words: 'Dark' },
  { value: 'auto', words: 'Same as system' },
]
export const sizeBases: Choices<SizeBase> = [
  { value: '2', words: 'KiB, MiB, GiB (1024)' },
  { value: '10', words: 'kB, MB, GB (1000)' },
]
