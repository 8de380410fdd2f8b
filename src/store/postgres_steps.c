/*
 * postgres_steps.c: the tables and functions in the database: the first version of them, and each
 * change since.
 */
#include "store/postgres.h"

/*
 * Nearly everything is found by the table's id, so the data could be spread over several machines.
 * The exceptions are lists, and codes, which have a table of their own for that reason. There are
 * no foreign keys: only these functions write.
 *
 * The row of a table has the number of its last event. To write the next event, a program updates
 * that row first: so of two programs one waits for the other, and then finds that its number is
 * taken.
 */
const char *const st__pg_schema[] = {
    /* 1 */
    "CREATE TABLE fathom.program (version integer NOT NULL);"
    "INSERT INTO fathom.program VALUES (0);"

    "CREATE TABLE fathom.tables ("
    " id uuid PRIMARY KEY,"
    " n bigint GENERATED ALWAYS AS IDENTITY," /* increases: the newest table has the largest */
    " last_seq bigint NOT NULL,"
    " deadline_ms bigint NOT NULL,"
    " claimed_ms bigint NOT NULL DEFAULT 0," /* when its keeper got it by fathom.beat */
    " keeper uuid NOT NULL,"
    " state smallint NOT NULL,"
    " listed boolean NOT NULL,"
    " code bytea NOT NULL) WITH (fillfactor = 70);"
    "CREATE INDEX tables_waiting ON fathom.tables (n) WHERE listed AND state = 0;"
    "CREATE INDEX tables_state ON fathom.tables (state, n);"
    "CREATE INDEX tables_due ON fathom.tables (deadline_ms, n)"
    " WHERE deadline_ms > 0 AND state <> 3;"
    "CREATE INDEX tables_keeper ON fathom.tables (keeper) WHERE state = 1;"

    "CREATE TABLE fathom.codes (code bytea PRIMARY KEY, table_id uuid NOT NULL);"

    "CREATE TABLE fathom.events ("
    " table_id uuid NOT NULL,"
    " seq bigint NOT NULL,"
    " tag bigint NOT NULL," /* of its group, plus its position in the group */
    " event bytea NOT NULL,"
    " PRIMARY KEY (table_id, seq)) PARTITION BY HASH (table_id);"
    "CREATE TABLE fathom.tokens ("
    " table_id uuid NOT NULL,"
    " hash bytea NOT NULL,"
    " role smallint NOT NULL,"
    " seat smallint NOT NULL,"
    " PRIMARY KEY (table_id, hash)) PARTITION BY HASH (table_id);"
    "CREATE TABLE fathom.records ("
    " table_id uuid PRIMARY KEY,"
    " text bytea NOT NULL) PARTITION BY HASH (table_id);"
    "DO $$BEGIN FOR i IN 0..47 LOOP"
    " EXECUTE format('CREATE TABLE fathom.%1$s_%2$s PARTITION OF fathom.%1$s"
    " FOR VALUES WITH (MODULUS 16, REMAINDER %2$s)',"
    " (ARRAY['events', 'tokens', 'records'])[i / 16 + 1], i % 16);"
    "END LOOP; END$$;"

    "CREATE TABLE fathom.nodes (id uuid PRIMARY KEY, until timestamptz NOT NULL);"

    /* The numbers of the answers are those of `answers` in postgres_write.c. */
    "CREATE FUNCTION fathom.refusal(which uuid, wanted bigint) RETURNS text LANGUAGE sql AS $$"
    " SELECT coalesce((SELECT CASE WHEN wanted <= last_seq THEN '2' ELSE '3' END"
    "  FROM fathom.tables WHERE id = which), '1')"
    "$$;"

    /* Creates the table's row and its code; '0', or why not. */
    "CREATE FUNCTION fathom.make(which uuid, its_code bytea, is_listed boolean)"
    " RETURNS text LANGUAGE plpgsql AS $$"
    "BEGIN"
    " INSERT INTO fathom.tables (id, last_seq, deadline_ms, keeper, state, listed, code)"
    "  VALUES (which, 0, 0, '00000000-0000-0000-0000-000000000000', 0, is_listed, its_code)"
    "  ON CONFLICT DO NOTHING;"
    " IF NOT FOUND THEN RETURN '4'; END IF;"
    " IF length(its_code) = 0 THEN RETURN '0'; END IF;"
    " INSERT INTO fathom.codes VALUES (its_code, which) ON CONFLICT DO NOTHING;"
    " RETURN CASE WHEN FOUND THEN '0' ELSE '4' END;"
    "END$$;"

    /* A table has its code until it is closed. Sets the state; '0', or why it cannot be set. */
    "CREATE FUNCTION fathom.go(which uuid, wanted smallint) RETURNS text LANGUAGE plpgsql AS $$"
    "DECLARE was smallint; its_code bytea;"
    "BEGIN"
    " SELECT state, code INTO was, its_code FROM fathom.tables WHERE id = which;"
    " UPDATE fathom.tables SET state = wanted WHERE id = which;"
    " IF length(its_code) = 0 OR (was = 3) = (wanted = 3) THEN RETURN '0'; END IF;"
    " IF wanted = 3 THEN"
    "  DELETE FROM fathom.codes WHERE code = its_code AND table_id = which;"
    "  RETURN '0';"
    " END IF;"
    " INSERT INTO fathom.codes VALUES (its_code, which) ON CONFLICT DO NOTHING;"
    " RETURN CASE WHEN FOUND THEN '0' ELSE '5' END;"
    "END$$;"

    /* 34 bytes for each token: hash, role, seat. */
    "CREATE FUNCTION fathom.give(which uuid, tokens bytea) RETURNS text LANGUAGE plpgsql AS $$"
    "DECLARE given integer;"
    "BEGIN"
    " INSERT INTO fathom.tokens SELECT which, substr(tokens, 34 * i + 1, 32),"
    "  get_byte(tokens, 34 * i + 32), get_byte(tokens, 34 * i + 33)"
    "  FROM generate_series(0, length(tokens) / 34 - 1) i ON CONFLICT DO NOTHING;"
    " GET DIAGNOSTICS given = ROW_COUNT;"
    " RETURN CASE WHEN given = length(tokens) / 34 THEN '0' ELSE '6' END;"
    "END$$;"

    "CREATE FUNCTION fathom.append(which uuid, number bigint, its_tag bigint, bytes bytea,"
    " deadline bigint, program uuid) RETURNS text LANGUAGE plpgsql AS $$"
    "BEGIN"
    " UPDATE fathom.tables SET last_seq = number, deadline_ms = coalesce(deadline, deadline_ms),"
    "  keeper = coalesce(program, keeper) WHERE id = which AND last_seq = number - 1;"
    " IF NOT FOUND THEN RETURN fathom.refusal(which, number); END IF;"
    " INSERT INTO fathom.events VALUES (which, number, its_tag, bytes);"
    " RETURN '0';"
    "END$$;"

    "CREATE FUNCTION fathom.lock(mine bigint, ids uuid[]) RETURNS text LANGUAGE plpgsql AS $$"
    "BEGIN"
    " PERFORM pg_advisory_xact_lock(mine);" /* fathom.settle waits for this lock */
    " PERFORM 1 FROM fathom.tables WHERE id = ANY (ids) ORDER BY id FOR UPDATE;"
    " RETURN '';"
    "END$$;"

    /*
     * Several writes, each as a whole or not at all; returns a digit for each. Tables to which only
     * plain events are written come first: these are checked by their numbers and inserted
     * together. All others follow in the order of submission, by which new tables are numbered.
     */
    "CREATE FUNCTION fathom.write(program uuid, mine bigint, first_tag bigint, plain boolean[],"
    " ids uuid[], seqs bigint[], events bytea[], deadlines bigint[], keeps boolean[],"
    " states smallint[], codes bytea[], listed boolean[], tokens bytea[], records bytea[])"
    " RETURNS text LANGUAGE plpgsql AS $$"
    "DECLARE w record; at uuid; last bigint; answer text;"
    " answers text[] := array_fill('0'::text, ARRAY[cardinality(ids)]);"
    "BEGIN"
    " PERFORM fathom.lock(mine, ids);"
    " FOR w IN SELECT u.*, t.last_seq FROM unnest(plain, ids, seqs, events, deadlines, keeps,"
    "  states, codes, listed, tokens, records) WITH ORDINALITY AS u (plain, id, seq, event,"
    "  deadline, keeps, state, code, listed, tokens, record, i)"
    "  LEFT JOIN fathom.tables t ON u.plain AND t.id = u.id"
    "  ORDER BY CASE WHEN u.plain THEN u.id END NULLS LAST, u.i"
    " LOOP"
    "  IF w.plain THEN"
    "   IF at IS NULL OR at <> w.id THEN at := w.id; last := w.last_seq; END IF;"
    "   IF last IS NULL THEN answer := '1';"
    "   ELSIF w.seq <= last THEN answer := '2';"
    "   ELSIF w.seq > last + 1 THEN answer := '3';"
    "   ELSE answer := '0'; last := w.seq;"
    "   END IF;"
    "  ELSE"
    "   BEGIN" /* the exception undoes what was written of it */
    "    answer := '0';"
    "    IF w.code IS NOT NULL THEN"
    "     answer := fathom.make(w.id, w.code, w.listed);"
    "    END IF;"
    "    IF answer = '0' THEN"
    "     answer := fathom.append(w.id, w.seq, first_tag + w.i - 1, w.event, w.deadline,"
    "      CASE WHEN w.keeps THEN program END);"
    "    END IF;"
    "    IF answer = '0' AND w.state IS NOT NULL THEN"
    "     answer := fathom.go(w.id, w.state);"
    "    END IF;"
    "    IF answer = '0' AND w.tokens IS NOT NULL THEN"
    "     answer := fathom.give(w.id, w.tokens);"
    "    END IF;"
    "    IF answer = '0' AND w.record IS NOT NULL THEN"
    "     INSERT INTO fathom.records VALUES (w.id, w.record)"
    "      ON CONFLICT (table_id) DO UPDATE SET text = excluded.text;"
    "    END IF;"
    "    IF answer <> '0' THEN RAISE EXCEPTION USING ERRCODE = 'FMNO1'; END IF;"
    "   EXCEPTION WHEN SQLSTATE 'FMNO1' THEN"
    "   END;"
    "  END IF;"
    "  answers[w.i] := answer;"
    " END LOOP;"
    " IF true = ANY (plain) THEN"
    "  INSERT INTO fathom.events SELECT u.id, u.seq, first_tag + u.i - 1, u.event"
    "   FROM unnest(plain, answers, ids, seqs, events) WITH ORDINALITY"
    "    AS u (plain, answer, id, seq, event, i)"
    "   WHERE u.plain AND u.answer = '0';"
    "  UPDATE fathom.tables t SET last_seq = g.seq,"
    "   deadline_ms = coalesce(g.deadline, t.deadline_ms),"
    "   keeper = CASE WHEN g.keeps THEN program ELSE t.keeper END"
    "   FROM (SELECT u.id, max(u.seq) AS seq, bool_or(u.keeps) AS keeps, (array_agg(u.deadline"
    "     ORDER BY u.seq DESC) FILTER (WHERE u.deadline IS NOT NULL))[1] AS deadline"
    "    FROM unnest(plain, answers, ids, seqs, deadlines, keeps)"
    "     AS u (plain, answer, id, seq, deadline, keeps)"
    "    WHERE u.plain AND u.answer = '0' GROUP BY u.id) g"
    "   WHERE t.id = g.id;"
    " END IF;"
    " RETURN array_to_string(answers, '');"
    "END$$;"

    /*
     * Which of these events were written with their tags: a digit for each. Waits until the
     * connection that wrote them has ended, and writes something itself: when that is durable, so
     * are they.
     */
    "CREATE FUNCTION fathom.settle(mine bigint, first_tag bigint, ids uuid[], seqs bigint[])"
    " RETURNS text LANGUAGE plpgsql AS $$"
    "DECLARE kept text;"
    "BEGIN"
    " PERFORM pg_advisory_xact_lock(mine);"
    " PERFORM pg_logical_emit_message(true, 'fathom', '');"
    " SELECT string_agg(CASE WHEN e.tag = first_tag + u.i - 1 THEN '1' ELSE '0' END, '' ORDER BY "
    "u.i)"
    "  INTO kept FROM unnest(ids, seqs) WITH ORDINALITY AS u (id, seq, i)"
    "  LEFT JOIN fathom.events e ON e.table_id = u.id AND e.seq = u.seq;"
    " RETURN kept;"
    "END$$;"

    "CREATE FUNCTION fathom.live(program uuid) RETURNS void LANGUAGE sql AS $$"
    " INSERT INTO fathom.nodes VALUES (program, clock_timestamp() + interval '5 s')"
    "  ON CONFLICT (id) DO UPDATE SET until = excluded.until"
    "$$;"

    /* A heartbeat. Tables in play whose keeper is gone, or that are overdue, are given to this
     * program. The recursion jumps from keeper to keeper in the index. */
    "CREATE FUNCTION fathom.beat(program uuid, most integer)"
    " RETURNS TABLE (id uuid, seq bigint) LANGUAGE plpgsql AS $$"
    "#variable_conflict use_column\n"
    "DECLARE now_ms bigint := extract(epoch FROM clock_timestamp()) * 1000;"
    "BEGIN"
    " PERFORM fathom.live(program);"
    " DELETE FROM fathom.nodes WHERE id IN (SELECT id FROM fathom.nodes"
    "  WHERE until < clock_timestamp() - interval '1 min' FOR UPDATE SKIP LOCKED);"
    " RETURN QUERY"
    " WITH RECURSIVE keepers (keeper) AS ("
    "  (SELECT keeper FROM fathom.tables WHERE state = 1 ORDER BY keeper LIMIT 1)"
    "  UNION ALL"
    "  SELECT (SELECT t.keeper FROM fathom.tables t WHERE t.state = 1 AND t.keeper > k.keeper"
    "   ORDER BY t.keeper LIMIT 1) FROM keepers k WHERE k.keeper IS NOT NULL),"
    " gone AS (SELECT keeper FROM keepers WHERE keeper IS NOT NULL AND NOT EXISTS"
    "  (SELECT FROM fathom.nodes n WHERE n.id = keeper AND n.until > clock_timestamp())),"
    " left_behind AS (SELECT id FROM fathom.tables WHERE state = 1"
    "  AND keeper IN (SELECT keeper FROM gone) LIMIT most FOR UPDATE SKIP LOCKED),"
    " overdue AS (SELECT id FROM fathom.tables WHERE state = 1 AND deadline_ms > 0"
    "  AND deadline_ms < now_ms - 2000 AND claimed_ms < now_ms - 2000"
    "  ORDER BY deadline_ms LIMIT most FOR UPDATE SKIP LOCKED)"
    " UPDATE fathom.tables t SET keeper = program, claimed_ms = now_ms"
    "  WHERE t.id IN (SELECT id FROM left_behind UNION SELECT id FROM overdue)"
    "  RETURNING t.id, t.last_seq;"
    "END$$;",

    /* 2: a secret that all programs share */
    "ALTER TABLE fathom.program ADD COLUMN key bytea NOT NULL"
    " DEFAULT uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());",

    /*
     * 3: when events were written (in seconds; for older events, the time of this migration), up to
     * which event a table was trimmed, codes that can be reused once a table is over, and deleting
     * tables, by setting a state 4 that is never stored.
     */
    "ALTER TABLE fathom.events ADD COLUMN at_s bigint NOT NULL"
    " DEFAULT extract(epoch FROM now())::bigint;"
    "ALTER TABLE fathom.tables ADD COLUMN trimmed_seq bigint NOT NULL DEFAULT 0;"
    "DELETE FROM fathom.codes c USING fathom.tables t WHERE t.id = c.table_id AND t.state >= 2;"
    "CREATE OR REPLACE FUNCTION fathom.go(which uuid, wanted smallint)"
    " RETURNS text LANGUAGE plpgsql AS $$"
    "DECLARE was smallint; its_code bytea;"
    "BEGIN"
    " SELECT state, code INTO was, its_code FROM fathom.tables WHERE id = which;"
    " IF wanted >= 2 THEN"
    "  DELETE FROM fathom.codes WHERE code = its_code AND table_id = which;"
    " END IF;"
    " IF wanted = 4 THEN"
    "  DELETE FROM fathom.records WHERE table_id = which;"
    "  DELETE FROM fathom.tokens WHERE table_id = which;"
    "  DELETE FROM fathom.events WHERE table_id = which;"
    "  DELETE FROM fathom.tables WHERE id = which;"
    "  RETURN '0';"
    " END IF;"
    " UPDATE fathom.tables SET state = wanted WHERE id = which;"
    " IF length(its_code) = 0 OR wanted >= 2 OR was < 2 THEN RETURN '0'; END IF;"
    " INSERT INTO fathom.codes VALUES (its_code, which) ON CONFLICT DO NOTHING;"
    " RETURN CASE WHEN FOUND THEN '0' ELSE '5' END;"
    "END$$;",

    /*
     * 4: a writer numbers its connections. When it has lost one, it bars all connections before the
     * present one, and whatever was sent on them is refused, however late it is processed. A row
     * records this, because a stalled server process receives no signal, and because a row survives
     * a failover.
     */
    "CREATE TABLE fathom.bars ("
    " writer bigint PRIMARY KEY,"
    " connection bigint NOT NULL," /* the first that is not barred */
    " at timestamptz NOT NULL DEFAULT clock_timestamp());"

    /* Each statement here sees everything that was committed before it, so it sees the row that
     * another connection wrote under the same lock. */
    "CREATE FUNCTION fathom.pass(mine bigint, number bigint) RETURNS void LANGUAGE plpgsql AS $$"
    "BEGIN"
    " PERFORM pg_advisory_xact_lock(mine);"
    " IF EXISTS (SELECT FROM fathom.bars WHERE writer = mine AND connection > number) THEN"
    "  RAISE EXCEPTION USING ERRCODE = 'FMOLD', MESSAGE = 'its program has given this connection"
    " up';"
    " END IF;"
    "END$$;"

    "CREATE FUNCTION fathom.write(number bigint, program uuid, mine bigint, first_tag bigint,"
    " plain boolean[], ids uuid[], seqs bigint[], events bytea[], deadlines bigint[],"
    " keeps boolean[], states smallint[], codes bytea[], listed boolean[], tokens bytea[],"
    " records bytea[]) RETURNS text LANGUAGE plpgsql AS $$"
    "BEGIN"
    " PERFORM fathom.pass(mine, number);"
    " RETURN fathom.write(program, mine, first_tag, plain, ids, seqs, events, deadlines, keeps,"
    "  states, codes, listed, tokens, records);"
    "END$$;"

    /*
     * Only a lost connection of this writer can hold the writer's lock. It is terminated, so that
     * this one need not wait for it, unless it has committed and waits for the standby. If it
     * cannot be terminated (it is stopped, or belongs to another user), this waits.
     */
    "CREATE FUNCTION fathom.bar(mine bigint, number bigint) RETURNS void LANGUAGE plpgsql AS $$"
    "BEGIN"
    " BEGIN"
    "  PERFORM pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
    "   WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND a.datname = current_database()"
    "   AND l.database = a.datid AND l.classid = ((mine >> 32) & 4294967295)::oid"
    "   AND l.objid = (mine & 4294967295)::oid AND l.pid <> pg_backend_pid()"
    "   AND a.wait_event IS DISTINCT FROM 'SyncRep';"
    " EXCEPTION WHEN insufficient_privilege THEN"
    " END;"
    " PERFORM pg_advisory_xact_lock(mine);"
    " INSERT INTO fathom.bars VALUES (mine, number) ON CONFLICT (writer) DO UPDATE"
    "  SET connection = greatest(bars.connection, excluded.connection), at = excluded.at;"
    " DELETE FROM fathom.bars WHERE writer IN (SELECT writer FROM fathom.bars"
    "  WHERE at < clock_timestamp() - interval '30 days' FOR UPDATE SKIP LOCKED);"
    "END$$;"

    "CREATE FUNCTION fathom.settle(number bigint, mine bigint, first_tag bigint, ids uuid[],"
    " seqs bigint[]) RETURNS text LANGUAGE plpgsql AS $$"
    "BEGIN"
    " PERFORM fathom.bar(mine, number);"
    " RETURN fathom.settle(mine, first_tag, ids, seqs);"
    "END$$;",

    /*
     * 5: cheaper writes, and notices only for programs that want them.
     *
     * Partitions made each group of writes open up to 16 tables and indexes. The functions that
     * write check everything before they write, so that a refusal needs no subtransaction.
     */
    "CREATE TABLE fathom.new_events ("
    " table_id uuid NOT NULL,"
    " seq bigint NOT NULL,"
    " tag bigint NOT NULL,"
    " event bytea NOT NULL,"
    " at_s bigint NOT NULL DEFAULT extract(epoch FROM now())::bigint);"
    "INSERT INTO fathom.new_events SELECT table_id, seq, tag, event, at_s FROM fathom.events"
    " ORDER BY table_id, seq;"
    "CREATE TABLE fathom.new_tokens ("
    " table_id uuid NOT NULL,"
    " hash bytea NOT NULL,"
    " role smallint NOT NULL,"
    " seat smallint NOT NULL);"
    "INSERT INTO fathom.new_tokens SELECT table_id, hash, role, seat FROM fathom.tokens"
    " ORDER BY table_id, hash;"
    "CREATE TABLE fathom.new_records (table_id uuid NOT NULL, text bytea NOT NULL);"
    "INSERT INTO fathom.new_records SELECT table_id, text FROM fathom.records ORDER BY table_id;"
    "DROP TABLE fathom.events, fathom.tokens, fathom.records;"
    "ALTER TABLE fathom.new_events RENAME TO events;"
    "ALTER TABLE fathom.new_tokens RENAME TO tokens;"
    "ALTER TABLE fathom.new_records RENAME TO records;"
    "ALTER TABLE fathom.events ADD PRIMARY KEY (table_id, seq);"
    "ALTER TABLE fathom.tokens ADD PRIMARY KEY (table_id, hash);"
    "ALTER TABLE fathom.records ADD PRIMARY KEY (table_id);"
    "DO $$BEGIN" /* lz4 compresses records at less cost, where the server has it */
    " EXECUTE 'ALTER TABLE fathom.records ALTER COLUMN text SET COMPRESSION lz4';"
    " EXCEPTION WHEN syntax_error OR feature_not_supported OR invalid_parameter_value THEN NULL;"
    "END$$;"

    "DROP FUNCTION fathom.write(uuid, bigint, bigint, boolean[], uuid[], bigint[], bytea[],"
    " bigint[], boolean[], smallint[], bytea[], boolean[], bytea[], bytea[]);"
    "DROP FUNCTION fathom.write(bigint, uuid, bigint, bigint, boolean[], uuid[], bigint[],"
    " bytea[], bigint[], boolean[], smallint[], bytea[], boolean[], bytea[], bytea[]);"
    "DROP FUNCTION fathom.append(uuid, bigint, bigint, bytea, bigint, uuid);"
    "DROP FUNCTION fathom.make(uuid, bytea, boolean);"
    "DROP FUNCTION fathom.go(uuid, smallint);"
    "DROP FUNCTION fathom.give(uuid, bytea);"
    "DROP FUNCTION fathom.lock(bigint, uuid[]);"
    "DROP FUNCTION fathom.pass(bigint, bigint);"

    /* The programs with streams of the table; NULL: none. */
    "ALTER TABLE fathom.tables ADD COLUMN watchers uuid[];"

    /*
     * Begins a group. If not only plain events follow, tables are locked in the order of their ids
     * first, so that programs cannot deadlock. Each statement here sees everything that was
     * committed before it, so it sees the row that another connection wrote under the same lock.
     */
    "CREATE FUNCTION fathom.enter(mine bigint, number bigint, ids uuid[])"
    " RETURNS text LANGUAGE plpgsql AS $$"
    "BEGIN"
    " PERFORM pg_advisory_xact_lock(mine);" /* fathom.settle waits for this lock */
    " IF EXISTS (SELECT FROM fathom.bars WHERE writer = mine AND connection > number) THEN"
    "  RAISE EXCEPTION USING ERRCODE = 'FMOLD', MESSAGE = 'its program has given this connection"
    " up';"
    " END IF;"
    " IF ids IS NOT NULL THEN"
    "  PERFORM 1 FROM fathom.tables WHERE id = ANY (ids) ORDER BY id FOR UPDATE;"
    " END IF;"
    " RETURN '';"
    "END$$;"

    /*
     * Plain events, one for each table and in the order of their ids: a digit for each. '7': it was
     * stored, and other programs want to know: the keeper, or one with streams of the table. The
     * writer's session joins by nested loops only, so rows are locked in this order.
     */
    "CREATE FUNCTION fathom.add(program uuid, first_tag bigint, ids uuid[], seqs bigint[],"
    " events bytea[], deadlines bigint[]) RETURNS text LANGUAGE plpgsql AS $$"
    "DECLARE answers text; stored bigint[];"
    " now_s bigint := extract(epoch FROM now())::bigint;"
    "BEGIN"
    " WITH written AS (UPDATE fathom.tables t SET last_seq = u.seq,"
    "   deadline_ms = coalesce(u.deadline, t.deadline_ms)"
    "   FROM unnest(ids, seqs, events, deadlines) WITH ORDINALITY"
    "    AS u (id, seq, event, deadline, i)"
    "   WHERE t.id = u.id AND t.last_seq = u.seq - 1"
    "   RETURNING u.i, u.id, u.seq, u.event, CASE WHEN (t.state = 1 AND t.keeper <> program)"
    "    OR t.watchers <> ARRAY[program] THEN '7' ELSE '0' END AS answer),"
    "  added AS (INSERT INTO fathom.events"
    "   SELECT id, seq, first_tag + i - 1, event, now_s FROM written)"
    "  SELECT string_agg(answer, '' ORDER BY i), array_agg(i) INTO answers, stored FROM written;"
    " IF cardinality(stored) = cardinality(ids) THEN RETURN answers; END IF;"
    " RETURN (SELECT string_agg(CASE WHEN u.i = ANY (stored) THEN '7'"
    "   ELSE fathom.refusal(u.id, u.seq) END, '' ORDER BY u.i)"
    "  FROM unnest(ids, seqs) WITH ORDINALITY AS u (id, seq, i));"
    "END$$;"

    /* Removes what a refused write has already added. */
    "CREATE FUNCTION fathom.undo(which uuid, hashes bytea[], its_code bytea)"
    " RETURNS void LANGUAGE sql AS $$"
    " DELETE FROM fathom.tokens WHERE table_id = which AND hash = ANY (hashes);"
    " DELETE FROM fathom.codes WHERE code = its_code AND table_id = which"
    "$$;"

    /* Any one write, as a whole or not at all; returns its digit. Its table is locked, if there is
     * one. tokens: 34 bytes for each: hash, role, seat. */
    "CREATE FUNCTION fathom.put(program uuid, its_tag bigint, which uuid, number bigint,"
    " bytes bytea, deadline bigint, keeps boolean, wanted smallint, new_code bytea,"
    " is_listed boolean, given bytea, its_record bytea) RETURNS text LANGUAGE plpgsql AS $$"
    "DECLARE last bigint; was smallint; its_code bytea := new_code; hashes bytea[];"
    " told boolean := false;"
    "BEGIN"
    " IF new_code IS NULL THEN"
    "  SELECT last_seq, state, code, coalesce((state = 1 AND keeper <> program)"
    "    OR watchers <> ARRAY[program], false) INTO last, was, its_code, told"
    "   FROM fathom.tables WHERE id = which;"
    "  IF last IS NULL THEN RETURN '1'; END IF;"
    "  IF number <= last THEN RETURN '2'; END IF;"
    "  IF number > last + 1 THEN RETURN '3'; END IF;"
    " END IF;"
    " IF wanted = 4 THEN" /* the table is deleted, this event included */
    "  DELETE FROM fathom.codes WHERE code = its_code AND table_id = which;"
    "  DELETE FROM fathom.records WHERE table_id = which;"
    "  DELETE FROM fathom.tokens WHERE table_id = which;"
    "  DELETE FROM fathom.events WHERE table_id = which;"
    "  DELETE FROM fathom.tables WHERE id = which;"
    "  RETURN CASE WHEN told THEN '7' ELSE '0' END;"
    " END IF;"
    " IF given IS NOT NULL THEN"
    "  WITH added AS (INSERT INTO fathom.tokens SELECT which, substr(given, 34 * i + 1, 32),"
    "    get_byte(given, 34 * i + 32), get_byte(given, 34 * i + 33)"
    "    FROM generate_series(0, length(given) / 34 - 1) i ON CONFLICT DO NOTHING RETURNING hash)"
    "   SELECT array_agg(hash) INTO hashes FROM added;"
    "  IF coalesce(cardinality(hashes), 0) < length(given) / 34 THEN"
    "   PERFORM fathom.undo(which, hashes, NULL);"
    "   RETURN '6';"
    "  END IF;"
    " END IF;"
    " IF length(its_code) > 0 AND (new_code IS NOT NULL OR (wanted < 2 AND was >= 2)) THEN"
    "  INSERT INTO fathom.codes VALUES (its_code, which) ON CONFLICT DO NOTHING;"
    "  IF NOT FOUND THEN"
    "   PERFORM fathom.undo(which, hashes, NULL);"
    "   RETURN CASE WHEN new_code IS NULL THEN '5' ELSE '4' END;"
    "  END IF;"
    " END IF;"
    " IF new_code IS NULL THEN"
    "  UPDATE fathom.tables SET last_seq = number, deadline_ms = coalesce(deadline, deadline_ms),"
    "   keeper = CASE WHEN keeps THEN program ELSE keeper END, state = coalesce(wanted, state)"
    "   WHERE id = which;"
    " ELSE"
    "  INSERT INTO fathom.tables (id, last_seq, deadline_ms, keeper, state, listed, code)"
    "   VALUES (which, number, coalesce(deadline, 0), CASE WHEN keeps THEN program"
    "    ELSE '00000000-0000-0000-0000-000000000000' END, coalesce(wanted, 0::smallint),"
    "    is_listed, new_code) ON CONFLICT DO NOTHING;"
    "  IF NOT FOUND THEN"
    "   PERFORM fathom.undo(which, hashes, new_code);"
    "   RETURN '4';"
    "  END IF;"
    " END IF;"
    " IF wanted >= 2 THEN"
    "  DELETE FROM fathom.codes WHERE code = its_code AND table_id = which;"
    " END IF;"
    " INSERT INTO fathom.events VALUES (which, number, its_tag, bytes);"
    " IF its_record IS NOT NULL THEN"
    "  INSERT INTO fathom.records VALUES (which, its_record)"
    "   ON CONFLICT (table_id) DO UPDATE SET text = excluded.text;"
    " END IF;"
    " RETURN CASE WHEN told THEN '7' ELSE '0' END;"
    "END$$;"

    /* Any writes, in the order of submission, by which new tables are numbered. */
    "CREATE FUNCTION fathom.put_all(program uuid, first_tag bigint, ids uuid[], seqs bigint[],"
    " events bytea[], deadlines bigint[], keeps boolean[], states smallint[], codes bytea[],"
    " listed boolean[], tokens bytea[], records bytea[]) RETURNS text LANGUAGE plpgsql AS $$"
    "DECLARE answers text := '';"
    "BEGIN"
    " FOR i IN 1 .. cardinality(ids) LOOP"
    "  answers := answers || fathom.put(program, first_tag + i - 1, ids[i], seqs[i], events[i],"
    "   deadlines[i], keeps[i], states[i], codes[i], listed[i], tokens[i], records[i]);"
    " END LOOP;"
    " RETURN answers;"
    "END$$;"

    /*
     * From now on this program is told of writes to these tables. seq: everything up to it was
     * written before. others: another program is told, too. A write locks the table's row, as this
     * does: it is either seen here, or sees the new watcher.
     */
    "CREATE FUNCTION fathom.watch(program uuid, which uuid[])"
    " RETURNS TABLE (id uuid, seq bigint, others boolean) LANGUAGE plpgsql AS $$"
    "#variable_conflict use_column\n"
    "BEGIN"
    " IF cardinality(which) > 1 THEN"
    "  PERFORM 1 FROM fathom.tables t WHERE t.id = ANY (which) ORDER BY t.id FOR UPDATE;"
    " END IF;"
    " UPDATE fathom.tables t SET watchers = array_append(t.watchers, program)"
    "  WHERE t.id = ANY (which) AND (t.watchers IS NULL OR program <> ALL (t.watchers));"
    " RETURN QUERY SELECT t.id, t.last_seq, (t.state = 1 AND t.keeper <> program)"
    "  OR t.watchers <> ARRAY[program] FROM fathom.tables t WHERE t.id = ANY (which);"
    "END$$;"

    "CREATE FUNCTION fathom.unwatch(program uuid, which uuid[]) RETURNS void LANGUAGE plpgsql AS $$"
    "BEGIN"
    " PERFORM 1 FROM fathom.tables WHERE id = ANY (which) ORDER BY id FOR UPDATE;"
    " UPDATE fathom.tables SET watchers = nullif(array_remove(watchers, program), '{}')"
    "  WHERE id = ANY (which) AND program = ANY (watchers);"
    "END$$;"

    /* True: the program was not registered, or no longer was. */
    "DROP FUNCTION fathom.live(uuid);"
    "CREATE FUNCTION fathom.live(program uuid) RETURNS boolean LANGUAGE plpgsql AS $$"
    "BEGIN"
    " UPDATE fathom.nodes SET until = clock_timestamp() + interval '5 s' WHERE id = program;"
    " IF FOUND THEN RETURN false; END IF;"
    " INSERT INTO fathom.nodes VALUES (program, clock_timestamp() + interval '5 s')"
    "  ON CONFLICT (id) DO UPDATE SET until = excluded.until;"
    " RETURN true;"
    "END$$;"

    /* Programs that have stopped, or have not been heard from for a minute, no longer watch
     * anything. */
    "CREATE FUNCTION fathom.forget() RETURNS void LANGUAGE plpgsql AS $$"
    "DECLARE gone uuid[];"
    "BEGIN"
    " WITH left_over AS (DELETE FROM fathom.nodes WHERE id IN (SELECT id FROM fathom.nodes"
    "   WHERE until < clock_timestamp() - interval '1 min' FOR UPDATE SKIP LOCKED) RETURNING id)"
    "  SELECT array_agg(id) INTO gone FROM left_over;"
    " IF gone IS NULL THEN RETURN; END IF;"
    " PERFORM 1 FROM fathom.tables WHERE state < 2 AND watchers && gone ORDER BY id FOR UPDATE;"
    " UPDATE fathom.tables SET watchers = nullif(ARRAY(SELECT unnest(watchers) EXCEPT"
    "   SELECT unnest(gone)), '{}') WHERE state < 2 AND watchers && gone;"
    "END$$;"

    /* A heartbeat, as before, but fathom.live and fathom.forget are now called separately. */
    "CREATE OR REPLACE FUNCTION fathom.beat(program uuid, most integer)"
    " RETURNS TABLE (id uuid, seq bigint) LANGUAGE plpgsql AS $$"
    "#variable_conflict use_column\n"
    "DECLARE now_ms bigint := extract(epoch FROM clock_timestamp()) * 1000;"
    "BEGIN"
    " RETURN QUERY"
    " WITH RECURSIVE keepers (keeper) AS ("
    "  (SELECT keeper FROM fathom.tables WHERE state = 1 ORDER BY keeper LIMIT 1)"
    "  UNION ALL"
    "  SELECT (SELECT t.keeper FROM fathom.tables t WHERE t.state = 1 AND t.keeper > k.keeper"
    "   ORDER BY t.keeper LIMIT 1) FROM keepers k WHERE k.keeper IS NOT NULL),"
    " gone AS (SELECT keeper FROM keepers WHERE keeper IS NOT NULL AND NOT EXISTS"
    "  (SELECT FROM fathom.nodes n WHERE n.id = keeper AND n.until > clock_timestamp())),"
    " left_behind AS (SELECT id FROM fathom.tables WHERE state = 1"
    "  AND keeper IN (SELECT keeper FROM gone) LIMIT most FOR UPDATE SKIP LOCKED),"
    " overdue AS (SELECT id FROM fathom.tables WHERE state = 1 AND deadline_ms > 0"
    "  AND deadline_ms < now_ms - 2000 AND claimed_ms < now_ms - 2000"
    "  ORDER BY deadline_ms LIMIT most FOR UPDATE SKIP LOCKED)"
    " UPDATE fathom.tables t SET keeper = program, claimed_ms = now_ms"
    "  WHERE t.id IN (SELECT id FROM left_behind UNION SELECT id FROM overdue)"
    "  RETURNING t.id, t.last_seq;"
    "END$$;",

    /*
     * 6: cheaper again: a group is one call, and writes that start or end a game go with the plain
     * events. So only a few groups need their tables locked before they are written.
     */
    "DROP FUNCTION fathom.enter(bigint, bigint, uuid[]);"
    "DROP FUNCTION fathom.add(uuid, bigint, uuid[], bigint[], bytea[], bigint[]);"

    /*
     * Plain writes, one for each table and in the order of their ids: a digit for each. '7': it was
     * stored, and other programs want to know: the keeper, or one with streams of the table. The
     * writer's session joins by nested loops only, so rows are locked in this order. A game that
     * begins at a table which is not waiting is left to fathom.put: it may need its code again.
     */
    "CREATE FUNCTION fathom.add(program uuid, first_tag bigint, ids uuid[], seqs bigint[],"
    " events bytea[], deadlines bigint[], keeps boolean[], states smallint[], records bytea[])"
    " RETURNS text LANGUAGE plpgsql AS $$"
    "DECLARE answers text; stored bigint[];"
    " now_s bigint := extract(epoch FROM now())::bigint;"
    "BEGIN"
    " WITH written AS (UPDATE fathom.tables t SET last_seq = u.seq,"
    "   deadline_ms = coalesce(u.deadline, t.deadline_ms), state = coalesce(u.state, t.state),"
    "   keeper = CASE WHEN u.keeps THEN program ELSE t.keeper END"
    "   FROM unnest(ids, seqs, events, deadlines, keeps, states) WITH ORDINALITY"
    "    AS u (id, seq, event, deadline, keeps, state, i)"
    "   WHERE t.id = u.id AND t.last_seq = u.seq - 1"
    "    AND (u.state IS DISTINCT FROM 1 OR t.state = 0)"
    "   RETURNING u.i, u.id, u.seq, u.event,"
    "    CASE WHEN (t.keeper <> program AND (t.state = 1 OR u.state >= 2))"
    "     OR t.watchers <> ARRAY[program] THEN '7' ELSE '0' END AS answer),"
    "  added AS (INSERT INTO fathom.events"
    "   SELECT id, seq, first_tag + i - 1, event, now_s FROM written)"
    "  SELECT string_agg(answer, '' ORDER BY i), array_agg(i) INTO answers, stored FROM written;"
    " IF stored IS NULL OR cardinality(stored) < cardinality(ids) THEN"
    "  answers := '';"
    "  FOR i IN 1 .. cardinality(ids) LOOP"
    "   IF i = ANY (stored) THEN"
    "    answers := answers || '7';"
    "    CONTINUE;"
    "   END IF;"
    "   PERFORM 1 FROM fathom.tables WHERE id = ids[i] AND last_seq = seqs[i] - 1 FOR UPDATE;"
    "   answers := answers || CASE WHEN FOUND THEN fathom.put(program, first_tag + i - 1, ids[i],"
    "    seqs[i], events[i], deadlines[i], keeps[i], states[i], NULL, NULL, NULL, records[i])"
    "    ELSE fathom.refusal(ids[i], seqs[i]) END;"
    "  END LOOP;"
    " END IF;"
    " IF states IS NOT NULL THEN" /* a table that is over has no code */
    "  DELETE FROM fathom.codes c USING unnest(ids, seqs, states) AS u (id, seq, state),"
    "   fathom.tables t WHERE u.state >= 2 AND t.id = u.id AND t.last_seq = u.seq"
    "   AND t.state >= 2 AND c.code = t.code AND c.table_id = t.id;"
    " END IF;"
    " IF records IS NOT NULL THEN"
    "  INSERT INTO fathom.records SELECT u.id, u.record"
    "   FROM unnest(ids, records) WITH ORDINALITY AS u (id, record, i)"
    "   WHERE u.record IS NOT NULL AND substr(answers, u.i::integer, 1) IN ('0', '7')"
    "   ON CONFLICT (table_id) DO UPDATE SET text = excluded.text;"
    " END IF;"
    " RETURN answers;"
    "END$$;"

    /*
     * A group: first plain writes, then any others in the order of submission. Returns their
     * digits. `locked`: tables that are locked first, in the order of their ids, so that programs
     * cannot deadlock. Each statement here sees everything that was committed before it, so it sees
     * the row that another connection wrote under the same lock.
     */
    "CREATE FUNCTION fathom.write(mine bigint, number bigint, program uuid, first_tag bigint,"
    " locked uuid[], ids uuid[], seqs bigint[], events bytea[], deadlines bigint[],"
    " keeps boolean[], states smallint[], records bytea[],"
    " other_ids uuid[], other_seqs bigint[], other_events bytea[], other_deadlines bigint[],"
    " other_keeps boolean[], other_states smallint[], other_records bytea[],"
    " codes bytea[], listed boolean[], tokens bytea[]) RETURNS text LANGUAGE plpgsql AS $$"
    "DECLARE answers text := '';"
    "BEGIN"
    " PERFORM pg_advisory_xact_lock(mine);" /* fathom.settle waits for this lock */
    " IF EXISTS (SELECT FROM fathom.bars WHERE writer = mine AND connection > number) THEN"
    "  RAISE EXCEPTION USING ERRCODE = 'FMOLD', MESSAGE = 'its program has given this connection"
    " up';"
    " END IF;"
    " IF locked IS NOT NULL THEN"
    "  PERFORM 1 FROM fathom.tables WHERE id = ANY (locked) ORDER BY id FOR UPDATE;"
    " END IF;"
    " IF ids IS NOT NULL THEN"
    "  answers := fathom.add(program, first_tag, ids, seqs, events, deadlines, keeps, states,"
    "   records);"
    " END IF;"
    " IF other_ids IS NOT NULL THEN"
    "  answers := answers || fathom.put_all(program, first_tag + length(answers), other_ids,"
    "   other_seqs, other_events, other_deadlines, other_keeps, other_states, codes, listed,"
    "   tokens, other_records);"
    " END IF;"
    " RETURN answers;"
    "END$$;",
};
const int st__pg_schema_n = sizeof st__pg_schema / sizeof st__pg_schema[0];
