import { Alert, Box, Button, Stack } from '@mui/material'
import { saveFile } from '@sum28/ui/save-file.ts'
import { useTranslate } from 'react-admin'

/** Recovery codes. They are shown only once: the user must save them before continuing. */
export function RecoveryCodes({ codes, done }: { codes: readonly string[]; done: () => void }) {
  const translate = useTranslate()
  return (
    <Stack sx={{ gap: 2 }}>
      <Alert severity="warning">{translate('console.enrol.codes')}</Alert>
      <Box
        component="ul"
        aria-label={translate('console.own.recovery')}
        sx={{
          display: 'grid',
          gridTemplateColumns: '1fr 1fr',
          gap: 1,
          listStyle: 'none',
          fontFamily: 'monospace',
          padding: 0,
          margin: 0,
        }}
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </Box>
      <Stack direction="row" sx={{ justifyContent: 'space-between' }}>
        <Button
          autoFocus
          variant="outlined"
          onClick={() =>
            saveFile({
              name: 'sum28-codes.txt',
              blob: new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }),
            })
          }
        >
          {translate('console.enrol.save')}
        </Button>
        <Button variant="contained" onClick={done}>
          {translate('console.enrol.saved')}
        </Button>
      </Stack>
    </Stack>
  )
}
