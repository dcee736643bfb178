import type { FileContent, SetContents } from '#events/actions/contents.ts'
import { counted } from '#client/ui/text/count.ts'

/** Result for a file, next to the others of its set. Undefined for a file that was not compared. */
export function contentText(file: FileContent | undefined, set?: Pick<SetContents, 'files'>): string {
  if (!file) return 'Not compared'
  if (file.state === 'failed') return `Not compared: ${file.reason}`
  if (file.state === 'unknown') return 'Not compared with the others'
  if (file.state === 'different') return 'Different content'
  const hasSeveral = set?.files.some(({ group }) => group > 1) ?? false
  const link = file.isHardLink ? ', hard link' : file.sharedBytes > 0 ? ', shares space on disk' : ''
  return `Same content${hasSeveral ? ` ${file.group}` : ''} as ${counted(file.others, 'other file')}${link}`
}

/** Numbers of files of a set by result, such as `2 with the same content, 1 with different content`. */
export function setText({ files }: Pick<SetContents, 'files'>): string {
  const count = (state: FileContent['state']) => files.filter((file) => file.state === state).length
  const parts: [number, string][] = [
    [count('same'), 'with the same content'],
    [count('different'), 'with different content'],
    [count('unknown') + count('failed'), 'not compared'],
  ]
  return parts.flatMap(([number, words]) => (number > 0 ? `${counted(number, 'file')} ${words}` : [])).join(', ')
}
