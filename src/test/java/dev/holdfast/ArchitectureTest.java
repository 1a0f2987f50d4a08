package dev.holdfast;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The table of allowed arrows between packages (design, section 4), and what follows from it. */
class ArchitectureTest {
    private static final String ROOT = "dev.holdfast";

    /** What each package may use of the others; the root may use all. */
    private static final Map<String, Set<String>> ARROWS = Map.ofEntries(
            Map.entry(
                    "supervision",
                    Set.of(
                            "receiver",
                            "delivery",
                            "consumer",
                            "consumer.http",
                            "consumer.file",
                            "retry",
                            "config",
                            "logging")),
            Map.entry(
                    "receiver",
                    Set.of("journal", "quarantine", "signature", "push", "metrics", "tracing", "config", "disk")),
            Map.entry(
                    "delivery",
                    Set.of("consumer", "journal", "store", "push", "json", "tracing", "retry", "config", "logging")),
            Map.entry("token", Set.of("consumer", "retry", "config", "disk", "logging")),
            Map.entry(
                    "management",
                    Set.of(
                            "build",
                            "consumer",
                            "journal",
                            "store",
                            "quarantine",
                            "push",
                            "metrics",
                            "config",
                            "logging")),
            Map.entry("consumer.http", Set.of("consumer", "consumer.format", "push", "config")),
            Map.entry("consumer.file", Set.of("consumer", "consumer.format", "push", "config", "disk")),
            Map.entry("consumer.format", Set.of("push")),
            Map.entry("consumer", Set.of("push", "config", "logging")),
            Map.entry("journal", Set.of("store", "push", "retry", "config", "disk")),
            Map.entry("store", Set.of("push", "retry", "config", "disk")),
            Map.entry("quarantine", Set.of("push", "config", "disk")),
            Map.entry("signature", Set.of("config")),
            Map.entry(
                    "cli",
                    Set.of(
                            "build",
                            "config",
                            "logging",
                            "signature",
                            "simulator",
                            "push",
                            "journal",
                            "store",
                            "consumer.format",
                            "cli.terminal")),
            Map.entry("cli.terminal", Set.of("logging")),
            Map.entry("logging", Set.of()),
            Map.entry("build", Set.of()),
            Map.entry("simulator", Set.of("signature")),
            Map.entry("metrics", Set.of()),
            Map.entry("tracing", Set.of()),
            Map.entry("push", Set.of("json", "logging")),
            Map.entry("json", Set.of()),
            Map.entry("disk", Set.of("retry")),
            Map.entry("retry", Set.of()),
            Map.entry("config", Set.of("logging")));

    /** Each class with those nested in it. */
    private static final SliceAssignment CLASS_WITH_THOSE_INSIDE = new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return SliceIdentifier.of(type.getName().replaceFirst("\\$.*", ""));
        }

        @Override
        public String getDescription() {
            return "classes, each with those nested in it";
        }
    };

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    @Test
    void everyPackageStandsInTheTable() {
        Set<String> names = CLASSES.stream()
                .map(type -> type.getPackageName())
                .filter(name -> !name.equals(ROOT))
                .map(name -> name.substring(ROOT.length() + 1))
                .collect(Collectors.toSet());

        assertThat(ARROWS.keySet()).containsAll(names);
    }

    @Test
    void onlyTheArrowsOfTheTableAreThere() {
        ARROWS.forEach((from, allowed) -> {
            List<String> forbidden = new ArrayList<>(List.of(ROOT));
            ARROWS.keySet().stream()
                    .filter(to -> !to.equals(from) && !allowed.contains(to))
                    .forEach(to -> forbidden.add(ROOT + "." + to));
            noClasses()
                    .that()
                    .resideInAPackage(ROOT + "." + from)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(forbidden.toArray(String[]::new))
                    .allowEmptyShould(true)
                    .check(CLASSES);
        });
    }

    @Test
    void thereAreNoCycles() {
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void noClassesOfAPackageFormACycle() {
        slices().assignedFrom(CLASS_WITH_THOSE_INSIDE).should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void journalStoreQuarantineAndSignatureKnowNoVertx() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        ROOT + ".journal..", ROOT + ".store..", ROOT + ".quarantine..", ROOT + ".signature..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.vertx..")
                .check(CLASSES);
    }

    @Test
    void onlyJournalAndStoreKnowRocksDb() {
        noClasses()
                .that()
                .resideOutsideOfPackages(ROOT + ".journal..", ROOT + ".store..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.rocksdb..")
                .check(CLASSES);
    }

    @Test
    void onlyTracingKnowsOpenTelemetry() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + ".tracing..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.opentelemetry..")
                .check(CLASSES);
    }

    @Test
    void everyPackageIsNullMarked() {
        JavaPackage root = CLASSES.getPackage(ROOT);
        List<JavaPackage> packages = new ArrayList<>(root.getSubpackagesInTree());
        packages.add(root);

        assertThat(packages).allMatch(found -> found.isAnnotatedWith(NullMarked.class), "has @NullMarked");
    }

    /** One name for one thing: nested classes have their outer one's name beside their own. */
    @Test
    void noTwoClassesShareASimpleName() {
        Map<String, List<String>> names = CLASSES.stream()
                .filter(JavaClass::isTopLevelClass)
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(
                        JavaClass::getSimpleName, Collectors.mapping(JavaClass::getName, Collectors.toList())));
        names.values().removeIf(same -> same.size() == 1);

        assertThat(names).isEmpty();
    }

    @Test
    void classesBearTheProductsNouns() {
        classes()
                .should()
                .haveNameNotMatching(".*(Util|Utils|Helper|Manager|Impl)")
                .check(CLASSES);
    }
}
