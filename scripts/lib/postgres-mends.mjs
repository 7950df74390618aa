// What is built otherwise than the PostgreSQL client `postgres` 3.4.9 has it, and why: docs/decisions/0025.
// Each piece has to be found exactly once.

/** src/connection.js: one connection. */
const connection = [
  {
    why: 'What the event loop calls may fail the connection, but never end the process.',
    found: `      , idleTimer = timer(end, options.idle_timeout)
      , lifeTimer = timer(end, options.max_lifetime)
      , connectTimer = timer(connectTimedOut, options.connect_timeout)
`,
    built: `      , idleTimer = timer(guarded(end), options.idle_timeout)
      , lifeTimer = timer(guarded(end), options.max_lifetime)
      , connectTimer = timer(guarded(connectTimedOut), options.connect_timeout)
      , onData = guarded(data)
      , onError = guarded(error)
      , onClosed = guarded(closed)
      , onDrain = guarded(drain)
      , onConnected = guarded(connected)
`,
  },
  {
    why: 'The hosts that a connection tries, one after another, with the statement that it was opened for.',
    found: `  let socket = null
    , cancelMessage
`,
    built: `  let socket = null
    , attempt = null
    , isMovingOn = false
    , wasReady = false
    , startFault = null
    , cancelMessage
`,
  },
  {
    why: 'The same: a new statement, a new attempt at all hosts.',
    found: `      initial = query
      reconnect()
`,
    built: `      initial = query
      attempt = options.socket.begin(options)
      reconnect()
`,
  },
  {
    why: 'A host that cannot be reached leaves a connection that can be opened again. One that was ended opens none.',
    found: `  async function createSocket() {
    let x
    try {
      x = options.socket
        ? (await Promise.resolve(options.socket(options)))
        : new net.Socket()
    } catch (e) {
      error(e)
      return
    }
    x.on('error', error)
    x.on('close', closed)
    x.on('drain', drain)
    return x
  }
`,
    built: `  function guarded(fn) {
    return (...args) => {
      try {
        const done = fn(...args)
        return done instanceof Promise ? done.catch(failed) : done
      } catch (e) {
        failed(e)
      }
    }
  }

  function failed(e) {
    try {
      error(e)
    } finally {
      socket && socket.destroy()
    }
  }

  async function createSocket() {
    let x
    try {
      x = await attempt.open({ pid: () => backend.pid, isBusy: () => Boolean(query || sent.length) })
    } catch (e) {
      startFault = e
      initial && (queryError(initial, e), initial = null)
      lost(true, e)
      return
    }
    if (terminated)
      return void x.destroy()

    x.on('error', onError)
    x.on('close', onClosed)
    x.on('drain', onDrain)
    return x
  }
`,
  },
  {
    why: 'A request to cancel has no hosts to try; nothing here makes one.',
    found: `      cancelMessage = b().i32(16).i32(80877102).i32(pid).i32(secret).end(16)
`,
    built: `      cancelMessage = b().i32(16).i32(80877102).i32(pid).i32(secret).end(16)
      attempt = options.socket.begin(options)
`,
  },
  {
    why: 'A statement for a connection that is gone fails by itself.',
    found: `    if (terminated)
      return queryError(q, Errors.connection('CONNECTION_DESTROYED', options))
`,
    built: `    if (terminated || !socket)
      return queryError(q, Errors.connection('CONNECTION_DESTROYED', options)), true
`,
  },
  {
    why: 'A statement whose values cannot be sent fails by itself: it is not among those that answers are for. A transaction gets its connection also where the socket is full or a hundred statements are under way.',
    found: `      q.state = backend
      query
        ? sent.push(q)
        : (query = q, query.active = true)

      build(q)
      return write(toBuffer(q))
        && !q.describeFirst
        && !q.cursorFn
        && sent.length < max_pipeline
        && (!q.options.onexecute || q.options.onexecute(connection))
    } catch (error) {
      sent.length === 0 && write(Sync)
      errored(error)
      return true
    }
`,
    built: `      q.state = backend
      build(q)
      const bytes = toBuffer(q)
      query
        ? sent.push(q)
        : (query = q, query.active = true)

      const isRoomy = write(bytes)
        && !q.describeFirst
        && !q.cursorFn
        && sent.length < max_pipeline
      return q.options.onexecute ? q.options.onexecute(connection) : isRoomy
    } catch (error) {
      query || write(Sync)
      queryError(q, error)
      return true
    }
`,
  },
  {
    why: 'Nothing is written to a socket that is gone.',
    found: `    const x = socket.write(chunk, fn)
    nextWriteTimer !== null && clearImmediate(nextWriteTimer)
`,
    built: `    const x = socket ? socket.write(chunk, fn) : true
    nextWriteTimer !== null && clearImmediate(nextWriteTimer)
`,
  },
  {
    why: 'The same, for what is written later.',
    found: `(nextWriteTimer = setImmediate(nextWrite))`,
    built: `(nextWriteTimer = setImmediate(guarded(() => nextWrite())))`,
  },
  {
    why: 'A time-out may come after the socket has gone.',
    found: `    errored(Errors.connection('CONNECT_TIMEOUT', options, socket))
    socket.destroy()
`,
    built: `    errored(Errors.connection('CONNECT_TIMEOUT', options, socket))
    socket && socket.destroy()
`,
  },
  {
    why: 'A socket that nobody listens to any more may still report an error.',
    found: `    socket.removeAllListeners()
    socket = tls.connect(options)
    socket.on('secureConnect', connected)
    socket.on('error', error)
    socket.on('close', closed)
    socket.on('drain', drain)
`,
    built: `    const plain = socket
    plain.removeAllListeners()
    plain.on('error', noop)
    plain.on('close', () => socket === plain && onClosed(true))
    socket = tls.connect(options)
    socket.on('secureConnect', onConnected)
    socket.on('error', onError)
    socket.on('close', onClosed)
    socket.on('drain', onDrain)
`,
  },
  {
    why: 'A connection that takes statements again after a full socket is one that waited for that: none in a transaction, or at its start or end.',
    found: `    !query && onopen(connection)
  }

  function data(x) {`,
    built: `    !query && !connection.reserved && connection.queue === queues.full && onopen(connection)
  }

  function data(x) {`,
  },
  {
    why: 'Sockets come from the attempt, which knows the hosts.',
    found: `    socket || (socket = await createSocket())

    if (!socket)
      return

    connectTimer.start()

    if (options.socket)
      return ssl ? secure() : connected()

    socket.on('connect', ssl ? secure : connected)

    if (options.path)
      return socket.connect(options.path)

    socket.ssl = ssl
    socket.connect(port[hostIndex], host[hostIndex])
    socket.host = host[hostIndex]
    socket.port = port[hostIndex]

    hostIndex = (hostIndex + 1) % port.length
  }

  function reconnect() {
    setTimeout(connect, closedTime ? Math.max(0, closedTime + delay - performance.now()) : 0)
  }
`,
    built: `    wasReady = false
    startFault = null
    socket || (socket = await createSocket())

    if (!socket)
      return

    connectTimer.start()
    return ssl ? secure() : connected()
  }

  function reconnect(isAtOnce) {
    const pause = isAtOnce || !closedTime ? 0 : Math.max(0, closedTime + delay - performance.now())
    // What it was opened for may have been given up meanwhile, with all of them.
    setTimeout(guarded(() => initial && connect()), pause)
  }
`,
  },
  {
    why: 'The guarded listener.',
    found: `      socket.on('data', data)
      keep_alive`,
    built: `      socket.on('data', onData)
      keep_alive`,
  },
  {
    why: 'With several hosts no error was ever reported. Where another host is left, the statement waits for that one.',
    found: `    if (connection.queue === queues.connecting && options.host[retries + 1])
      return

    errored(err)
    while (sent.length)
      queryError(sent.shift(), err)
  }
`,
    built: `    errored(err)
    while (sent.length)
      queryError(sent.shift(), err)
  }

  function movesOn(err) {
    if (terminated)
      return false

    if (!isMovingOn && attempt.refuse(err)) {
      isMovingOn = true
      socket && socket.destroy()
    }
    return isMovingOn
  }
`,
  },
  {
    why: 'The same.',
    found: `    initial && (queryError(initial, err), initial = null)
  }
`,
    built: `    initial && !movesOn(err) && (queryError(initial, err), initial = null, startFault = err)
  }
`,
  },
  {
    why: 'Ending closes a socket that is still being opened, too, and one whose other end does not answer.',
    found: `    clearImmediate(nextWriteTimer)
    if (socket) {
      socket.removeListener('data', data)
      socket.removeListener('connect', connected)
      socket.readyState === 'open' && socket.end(b().X().end())
    }
`,
    built: `    clearImmediate(nextWriteTimer)
    nextWriteTimer = chunk = null
    if (socket) {
      const left = socket
      left.removeListener('data', onData)
      left.removeListener('secureConnect', onConnected)
      left.readyState === 'open' ? left.end(b().X().end()) : left.destroy()
      setTimeout(() => left.destroy(), 1000).unref()
    }
`,
  },
  {
    why: 'The next session on this connection begins with nothing of the last one: no statement, error, row or byte. A server that closes at once is not asked again without a pause.',
    found: `    clearImmediate(nextWriteTimer)
    socket.removeListener('data', data)
    socket.removeListener('connect', connected)
    idleTimer.cancel()
    lifeTimer.cancel()
    connectTimer.cancel()

    socket.removeAllListeners()
    socket = null

    if (initial)
      return reconnect()

    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
    closedTime = performance.now()
    hadError && options.shared.retries++
    delay = (typeof backoff === 'function' ? backoff(options.shared.retries) : backoff) * 1000
    onclose(connection, Errors.connection('CONNECTION_CLOSED', options, socket))
  }
`,
    built: `    clearImmediate(nextWriteTimer)
    nextWriteTimer = chunk = null
    idleTimer.cancel()
    lifeTimer.cancel()
    connectTimer.cancel()

    const loss = Errors.connection('CONNECTION_CLOSED', options, socket)
    socket.removeAllListeners()
    socket.on('error', noop)
    socket = null
    error(loss)
    query = results = errorResponse = stream = final = null
    result = new Result()
    rows = 0
    if (initial) {
      isMovingOn = false
      return reconnect(true)
    }
    lost(hadError || !wasReady, loss)
  }

  function lost(isFault, loss) {
    closedTime = performance.now()
    isFault && options.shared.retries++
    delay = (typeof backoff === 'function' ? backoff(options.shared.retries) : backoff) * 1000
    ended && (ended(), ending = ended = null)
    onclose(connection, wasReady ? loss : startFault || loss, !wasReady)
  }
`,
  },
  {
    why: 'Every session is asked what it is. What the first statement fails by is no fault of the host.',
    found: `      if (target_session_attrs) {
        if (!backendParameters.in_hot_standby || !backendParameters.default_transaction_read_only)
          return fetchState()
        else if (tryNext(target_session_attrs, backendParameters))
          return terminate()
      }

      if (needsTypes) {
        initial.reserve && (initial = null)
        return fetchArrayTypes()
      }

      initial && !initial.reserve && execute(initial)
      options.shared.retries = retries = 0
      initial = null
      return
    }
`,
    built: `      if (target_session_attrs && target_session_attrs !== 'any') {
        if (!backendParameters.in_hot_standby || !backendParameters.default_transaction_read_only)
          return fetchState()
        else if (tryNext(target_session_attrs, backendParameters))
          return failed(Object.assign(new Error('the server is not ' + target_session_attrs), { code: 'WRONG_SERVER_ROLE' }))
      }

      if (needsTypes) {
        return fetchArrayTypes().catch(noop)
      }

      const first = initial
      initial = null
      wasReady = true
      options.shared.retries = retries = 0
      attempt.succeed()
      first.reserve ? onopen(connection) : execute(first)
      return
    }

    if (isReadOnly && !ending) {
      end()
      if (terminated)
        return
    }
`,
  },
  {
    why: 'Says that a session is to be closed after what is under way on it.',
    found: `    , errorResponse = null
    , result = new Result()
`,
    built: `    , errorResponse = null
    , isReadOnly = false
    , result = new Result()
`,
  },
  {
    why: 'The same, of a new session.',
    found: `      statements = {}
      needsTypes = options.fetch_types
      statementId`,
    built: `      statements = {}
      isReadOnly = false
      needsTypes = options.fetch_types
      statementId`,
  },
  {
    why: 'A server that became read-only is left: by a statement that it refused, and by its own word.',
    found: `      errorResponse = Errors.postgres(parseError(x))
    } else {`,
    built: `      errorResponse = Errors.postgres(parseError(x))
      errorResponse.code === '25006' && wasReady && options.shared.leavesReadOnly && (isReadOnly = true)
    } else {`,
  },
  {
    why: 'The same.',
    found: `    backendParameters[k] = v
    if (options.parameters[k] !== v) {`,
    built: `    backendParameters[k] = v
    if (wasReady && target_session_attrs && tryNext(target_session_attrs, backendParameters)) {
      isReadOnly = true
      !query && !connection.reserved && end()
    }
    if (options.parameters[k] !== v) {`,
  },
  {
    why: 'A failure while the password is exchanged fails the connection.',
    found: `    (
      type === 3 ? AuthenticationCleartextPassword :`,
    built: `    guarded(
      type === 3 ? AuthenticationCleartextPassword :`,
  },
  {
    why: 'As libpq: read-write is never a hot standby.',
    found: `      (x === 'read-write' && xs.default_transaction_read_only === 'on') ||
      (x === 'read-only' && xs.default_transaction_read_only === 'off') ||`,
    built: `      (x === 'read-write' && (xs.default_transaction_read_only === 'on' || xs.in_hot_standby === 'on')) ||
      (x === 'read-only' && xs.default_transaction_read_only === 'off' && xs.in_hot_standby === 'off') ||`,
  },
  {
    why: 'The attempt knows whether hosts are left; the columns have names that no transformation changes.',
    found: `      (x === 'prefer-standby' && xs.in_hot_standby === 'off' && options.host[retries])
    )
  }

  function fetchState() {
    const query = new Query([\`
      show transaction_read_only;
      select pg_catalog.pg_is_in_recovery()
    \`], [], execute, null, { simple: true })
    query.resolve = ([[a], [b]]) => {
      backendParameters.default_transaction_read_only = a.transaction_read_only
      backendParameters.in_hot_standby = b.pg_is_in_recovery ? 'on' : 'off'
    }
    query.execute()
  }
`,
    built: `      (x === 'prefer-standby' && xs.in_hot_standby === 'off' && attempt.hasOthers())
    )
  }

  function fetchState() {
    const query = new Query([\`
      select
        pg_catalog.current_setting('transaction_read_only') as a,
        pg_catalog.pg_is_in_recovery()::text as b
    \`], [], execute, null, { simple: true })
    query.catch(noop)
    query.resolve = ([{ a, b }]) => {
      backendParameters.default_transaction_read_only = a
      backendParameters.in_hot_standby = b === 'true' ? 'on' : 'off'
    }
  }
`,
  },
];

/** src/index.js: a pool of connections. */
const pool = [
  {
    why: 'A statement of a transaction whose connection is lost fails; it is never sent over the next one, nor is the connection lost to the pool.',
    found: `        new Promise((_, reject) => connection.onclose = reject)
`,
    built: `        new Promise((_, reject) => connection.onclose = (e) => {
          loss = e
          while (queries.length)
            queries.shift().reject(e)
          reject(e)
        })
`,
  },
  {
    why: 'The same.',
    found: `      , connection
      , prepare = null
`,
    built: `      , connection
      , loss
      , prepare = null
`,
  },
  {
    why: 'The same.',
    found: `        q.catch(e => uncaughtError || (uncaughtError = e))
        c.queue === full`,
    built: `        q.catch(e => uncaughtError || (uncaughtError = e))
        if (loss)
          return q.reject(loss)

        c.queue === full`,
  },
  {
    why: 'What has waited so long that nobody waits for it any more is not sent.',
    found: `  function onopen(c) {
    if (queries.length === 0)`,
    built: `  function dropLate() {
    const oldest = performance.now() - options.queue_timeout
    while (queries.length && queries.peek().since < oldest)
      queries.shift().reject(Errors.generic('QUEUE_TIMEOUT', 'no connection was free'))
  }

  function onopen(c) {
    dropLate()
    if (queries.length === 0)`,
  },
  {
    why: 'The same.',
    found: `    if (ending)
      return query.reject(Errors.connection('CONNECTION_ENDED', options, options))

    if (open.length)`,
    built: `    if (ending)
      return query.reject(Errors.connection('CONNECTION_ENDED', options, options))

    query.since = performance.now()
    if (open.length)`,
  },
  {
    why: 'Where no server can be had, those who wait for one learn it.',
    found: `  function onclose(c, e) {
    move(c, closed)
    c.reserved = null
    c.onclose && (c.onclose(e), c.onclose = null)
    options.onclose && options.onclose(c.id)
`,
    built: `  function onclose(c, e, isFailedStart) {
    move(c, closed)
    c.reserved = null
    c.onclose && (c.onclose(e), c.onclose = null)
    options.onclose && options.onclose(c.id)
    if (isFailedStart && !open.length && !busy.length && !full.length && !reserved.length)
      while (queries.length) queries.shift().reject(e)
    dropLate()
`,
  },
  {
    why: 'Options of the mends. With several hosts the one that can be written to is meant.',
    found: `    target_session_attrs: tsa(o, url, env),
`,
    built: `    target_session_attrs: tsa(o, url, env) || (o.socket.count > 1 || host.indexOf(',') > -1 ? 'read-write' : null),
    queue_timeout   : o.queue_timeout || Infinity,
`,
  },
  {
    why: 'As libpq.',
    found: `['read-write', 'read-only',`,
    built: `['any', 'read-write', 'read-only',`,
  },
  {
    why: 'A session that only reads by intention may stay.',
    found: `    shared          : { retries: 0, typeArrayMap: {} },
`,
    built: `    shared          : {
      retries: 0,
      typeArrayMap: {},
      leavesReadOnly: !['any', 'read-only', 'standby', 'prefer-standby'].includes(tsa(o, url, env))
    },
`,
  },
];

/** src/query.js: one statement. */
const query = [
  {
    why: 'What fails before a statement is sent fails the statement.',
    found: `    !this.executed && (this.executed = true) && await 1 && this.handler(this)
`,
    built: `    if (this.executed)
      return

    this.executed = true
    await 1
    try {
      this.handler(this)
    } catch (e) {
      this.reject(e)
    }
`,
  },
  {
    why: 'Rows that end because the connection was lost are not all rows.',
    found: `          if (this.executed && !this.active)
            return { done: true }
`,
    built: `          if (failure)
            return Promise.reject(failure.reason)

          if (this.executed && !this.active)
            return { done: true }
`,
  },
  {
    why: 'The same.',
    found: `    let prev
    return {
      [Symbol.asyncIterator]`,
    built: `    let prev
    let failure
    return {
      [Symbol.asyncIterator]`,
  },
  {
    why: 'The same.',
    found: `            this.resolve = () => (this.active = false, resolve({ done: true }))
            this.reject = x => (this.active = false, reject(x))
          })`,
    built: `            this.resolve = () => (this.active = false, resolve({ done: true }))
            this.reject = x => (this.active = false, failure = { reason: x }, reject(x))
          })`,
  },
];

/** src/queue.js: statements in their order. */
const queue = [
  {
    why: 'What has waited longest is looked at before it is taken.',
    found: `    push: (x) => (xs.push(x), x),
`,
    built: `    push: (x) => (xs.push(x), x),
    peek: () => xs[index],
`,
  },
];

export const mends = {
  'connection.js': connection,
  'index.js': pool,
  'query.js': query,
  'queue.js': queue,
};
