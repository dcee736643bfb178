import { TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { isPrefix, mapPath } from '#events/sources/pathMapping.ts'
import { mappingForm, type MappingFields } from './mappingForm.ts'
import classes from './Mappings.module.css'

/** Shows the result of a mapping for a path while the mapping is edited. */
export function TryPath({ fields }: { fields: MappingFields }) {
  const id = useId()
  const [path, setPath] = useState('')
  return (
    <div className={classes.try}>
      <TextInput
        label="Try a path"
        description="A path of DataIntell or of Archiware P5"
        placeholder={fields.dataintellPath && `${fields.dataintellPath}/reel.mov`}
        aria-describedby={id}
        value={path}
        onChange={({ currentTarget }) => setPath(currentTarget.value)}
      />
      <output id={id} className={classes.mapped} aria-live="polite">
        {path.trim() !== '' && mappedText(fields, path.trim())}
      </output>
    </div>
  )
}

function mappedText(fields: MappingFields, path: string): string {
  const mapping = mappingForm.toDraft(fields, 'new')
  const { dataintellPath, archiwarePath } = mapping
  if (dataintellPath.trim() === '' || archiwarePath.trim() === '') return 'Enter both paths first.'
  if (isPrefix(dataintellPath, path)) return `Archiware P5: ${mapPath([mapping], path, 'fromDataIntell')}`
  if (isPrefix(archiwarePath, path)) return `DataIntell: ${mapPath([mapping], path, 'toDataIntell')}`
  return 'This mapping does not apply to the path.'
}
