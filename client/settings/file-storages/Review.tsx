import { Fragment } from 'react'
import { type FileStorageFields, isShare } from './fileStorageFields.ts'
import { scanTypeWords } from './fileStorageWords.ts'
import type { useChosenNames } from './useChosenNames.ts'
import classes from './FileStorages.module.css'

type ReviewProps = { fields: FileStorageFields; names: ReturnType<typeof useChosenNames> }

/** What a new file storage will be. */
export function Review({ fields, names }: ReviewProps) {
  const { mountType, host, shareName, options, name, path, scanType } = fields
  const ofShare: [string, string | undefined][] = [
    ['Host', host],
    ['Share Name', shareName],
    ...(mountType === 'SMB' ? [['Credentials', names.credentials] as [string, string | undefined]] : []),
    ['Options', options.trim() || 'None'],
  ]
  const rows: [string, string | undefined][] = [
    ['Name', name],
    ['Path', path],
    ['Scan Type', scanTypeWords[scanType]],
    ['Mount Type', mountType],
    ...(isShare(mountType) ? ofShare : []),
    ['Agent', names.agent],
    ['Price Book', names.priceBook],
  ]
  return (
    <dl className={classes.review}>
      {rows.map(([word, value]) => (
        <Fragment key={word}>
          <dt>{word}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
