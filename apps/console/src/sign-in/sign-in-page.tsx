import { Box, Card, Stack, Typography } from '@mui/material'
import { useState } from 'react'
import { Notification, useLogin, useTranslate } from 'react-admin'
import type { Credentials } from '#src/sign-in/call-form.tsx'
import { Enrolment } from '#src/sign-in/enrolment.tsx'
import { SignInForm } from '#src/sign-in/sign-in-form.tsx'

/** Name and first password of the mailed link, which browsers do not send and the address does not keep. */
function invited(): Credentials | null {
  const [, account, password] = /^#first=([\w.-]+):([\w-]+)$/.exec(window.location.hash) ?? []
  if (account === undefined || password === undefined) return null
  window.history.replaceState(window.history.state, '', window.location.pathname)
  return { account, password }
}

/** The sign-in: name, password and code; at the first sign-in the enrolment. */
export function SignInPage() {
  const translate = useTranslate()
  const login = useLogin()
  const [enrolling, setEnrolling] = useState(invited)
  const enter = () => void login({})
  return (
    <Box
      component="main"
      sx={{ minHeight: '100dvh', display: 'grid', placeItems: 'center', padding: 3 }}
    >
      <Card sx={{ width: '100%', maxWidth: 440, padding: 4 }}>
        <Stack sx={{ gap: 3 }}>
          <Stack sx={{ gap: 0.5 }}>
            <Typography variant="h1">{translate('console.title')}</Typography>
            <Typography color="textSecondary">
              {translate(enrolling ? 'console.enrol.title' : 'console.signIn.title')}
            </Typography>
          </Stack>
          {enrolling ? (
            <Enrolment named={enrolling} enter={enter} back={() => setEnrolling(null)} />
          ) : (
            <SignInForm enter={enter} enrol={setEnrolling} />
          )}
        </Stack>
      </Card>
      <Notification />
    </Box>
  )
}
