import { TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { globalMapping, isPrefix, mapPath, type PathPrefixes } from '#events/sources/pathMapping.ts'
import classes from './TryPath.module.css'

type TryPathProps = PathPrefixes & {
  /** Name of the other system. */
  system: string
}

/** Shows the result of a mapping for a path while the mapping is edited. */
export function TryPath(mapping: TryPathProps) {
  const id = useId()
  const [path, setPath] = useState('')
  return (
    <div className="stack gap-4">
      <TextInput
        label="Try a path"
        description={`A path of DataIntell or of ${mapping.system}`}
        placeholder={mapping.dataintellPath && `${mapping.dataintellPath}/reel.mov`}
        aria-describedby={id}
        value={path}
        onChange={({ currentTarget }) => setPath(currentTarget.value)}
      />
      <output id={id} className={classes.mapped} aria-live="polite">
        {path.trim() !== '' && mappedText(mapping, path)}
      </output>
    </div>
  )
}

function mappedText({ system, dataintellPath, externalPath }: TryPathProps, path: string): string {
  if (dataintellPath.trim() === '' || externalPath.trim() === '') return 'Enter both paths first.'
  const mappings = [{ volumeId: globalMapping, dataintellPath, externalPath }]
  if (isPrefix(dataintellPath, path)) return `${system}: ${mapPath(mappings, path, 'fromDataIntell')}`
  if (isPrefix(externalPath, path)) return `DataIntell: ${mapPath(mappings, path, 'toDataIntell')}`
  return 'This mapping does not apply to the path.'
}
