import type { MantineColorScheme } from '@mantine/core'
import type { SizeBase } from '#client/ui/text/size.ts'

type Choices<T> = { value: T; label: string }[]

/** Display options of this browser. */
export const schemes: Choices<MantineColorScheme> = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'Same as system' },
]
export const sizeBases: Choices<SizeBase> = [
  { value: '2', label: 'KiB, MiB, GiB (1024)' },
  { value: '10', label: 'kB, MB, GB (1000)' },
]
